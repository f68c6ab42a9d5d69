// Completion for PowerShell 5.1 and newer.
export const powershell = `# fleet completion for PowerShell. Asks fleet itself what fits, on every Tab.
Register-ArgumentCompleter -Native -CommandName 'fleet' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @()
    foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        if ($element.Extent.EndOffset -lt $cursorPosition) { $words += $element.Extent.Text.Trim('"', "'") }
    }
    # Older versions drop an empty argument on the way, so a word that is not begun yet is said with one letter too many.
    $begun = if ($wordToComplete) { "+$wordToComplete" } else { '+' }
    $files = $false
    fleet __complete --marked -- @words $begun 2>$null | ForEach-Object {
        $value, $about = $_ -split [char]9, 2
        if ($value -eq ':files') { $files = $true; return }
        if ($value -eq ':') { return }
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
    if ($files) {
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
    }
}
`;
