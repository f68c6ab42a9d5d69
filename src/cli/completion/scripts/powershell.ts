// Completion script for PowerShell 5.1 and newer.
export const powershell = `# fleet completion for PowerShell. Runs fleet on every Tab to get the candidates.
Register-ArgumentCompleter -Native -CommandName 'fleet' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @()
    foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        if ($element.Extent.EndOffset -lt $cursorPosition) { $words += $element.Extent.Text.Trim('"', "'") }
    }
    # Older versions drop an empty argument, so the word is passed with an extra first character.
    $typed = "$wordToComplete".Trim('"', "'")
    $marked = "+$typed"
    $files = $false
    # Quoted, because PowerShell itself takes a bare -- when fleet is the script that npm installs.
    fleet __complete --marked '--' @words $marked 2>$null | ForEach-Object {
        $value, $about = $_ -split [char]9, 2
        if ($value -eq ':files') { $files = $true; return }
        if ($value -eq ':') { return }
        if (-not $about) { $about = $value }
        $text = if ($value -match '^[\\w.,:=@/+-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
    }
    if ($files) {
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
    }
}
`;
