// The completion script for PowerShell 5.1 and newer.
export const powershell = `# fleet completion for PowerShell. Runs fleet on every Tab to get the candidates.
Register-ArgumentCompleter -Native -CommandName 'fleet' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @()
    foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        if ($element.Extent.EndOffset -lt $cursorPosition) { $words += $element.Extent.Text.Trim('"', "'") }
    }
    # Older versions drop an empty argument, so the word is passed with an extra first character.
    $marked = if ($wordToComplete) { "+$wordToComplete" } else { '+' }
    $files = $false
    fleet __complete --marked -- @words $marked 2>$null | ForEach-Object {
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
