// The completion scripts of the shells.

/** The script for bash 3.2 and newer. It does not need the bash-completion package. */
export const bash = String.raw`# fleet completion for bash. Runs fleet on every Tab to get the candidates.
_fleet_complete() {
    local rest=${'$'}{COMP_LINE:0:COMP_POINT} word before count=0 i
    local -a words
    # bash also splits words at = and :, so they are joined again here, without their quotes.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${'$'}{COMP_WORDS[i]}
        before=${'$'}{rest%%[![:space:]]*}
        rest=${'$'}{rest#"$before"}
        if ((i == COMP_CWORD)); then
            word=$rest
        else
            rest=${'$'}{rest#"$word"}
        fi
        word=${'$'}{word//[\"\'\\]/}
        if ((i == 0)) || [[ -n $before || -z $word ]]; then
            words[count++]=$word
        else
            words[count - 1]+=$word
        fi
    done

    local current=${'$'}{words[count - 1]} line value kind=
    local -a found
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :*) kind=$line ;;
            *) found[${'$'}{#found[@]}]=${'$'}{line%%$'\t'*} ;;
        esac
    done < <("$1" __complete -- "${'$'}{words[@]:1}" 2>/dev/null)

    # For bash, the text before the last = or : is a word of its own, which must not be repeated. In quotes, only what is before them is.
    local prefix= raw=${'$'}{COMP_WORDS[COMP_CWORD]} quote=
    case $raw in
        \"* | \'*) quote=${'$'}{raw:0:1} ;;
    esac
    if [[ -n $quote ]]; then
        raw=${'$'}{raw//[\"\'\\]/}
        prefix=${'$'}{current%"$raw"}
    else
        if [[ $COMP_WORDBREAKS == *=* && $current == *=* ]]; then prefix=${'$'}{current%"${'$'}{current##*=}"}; fi
        if [[ $COMP_WORDBREAKS == *:* && ${'$'}{current#"$prefix"} == *:* ]]; then prefix=${'$'}{current%"${'$'}{current##*:}"}; fi
    fi
    for value in "${'$'}{found[@]}"; do
        if [[ $value != "$current"* ]]; then continue; fi
        value=${'$'}{value#"$prefix"}
        # Names may have spaces and more: quoted as bash reads them, unless the word is in quotes already.
        if [[ -z $quote && $value == *[[:space:]\"\'\\\$\`\(\)\&\;\<\>\|\*\?\[\]\#\!\~\{\}]* ]]; then
            printf -v value %q "$value"
        fi
        COMPREPLY[${'$'}{#COMPREPLY[@]}]=$value
    done
    if [[ ${'$'}{#COMPREPLY[@]} -eq 1 && ${'$'}{COMPREPLY[0]} == *[=.] ]]; then compopt -o nospace 2>/dev/null; fi

    if [[ $kind == :files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r value; do
            COMPREPLY[${'$'}{#COMPREPLY[@]}]=$value
        done < <(compgen -f -- "${'$'}{current#"$prefix"}")
    fi
}
complete -F _fleet_complete fleet
`;

/** The script for fish 3 and newer. fish adds no space after words that end in = or a dot. */
export const fish = `# fleet completion for fish. Runs fleet on every Tab to get the candidates.
function __fleet_complete
    set -l words (commandline -opc)
    # Without its quotes: fish puts them back.
    set -l current (commandline -ct | string replace -r '^([^=]*=)?["\\']' '$1' | string replace -ra '\\\\\\\\(.)' '$1')
    set -l program $words[1]
    set -e words[1]
    for line in ($program __complete -- $words "$current" 2>/dev/null)
        switch $line
            case ':files'
                # fish completes the value of --flag=value only as part of the complete word.
                set -l flag (string match -r -- '^--[^=]+=' "$current")
                __fish_complete_path (string replace -r -- '^--[^=]+=' '' "$current") | while read -l path
                    echo "$flag$path"
                end
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c fleet -f -a '(__fleet_complete)'
`;

/** The script for zsh. */
export const zsh = String.raw`#compdef fleet
# fleet completion for zsh. Runs fleet on every Tab to get the candidates.
_fleet() {
    local line value about kind=
    local -a finished open
    for line in "${'$'}{(@f)$("${'$'}{words[1]}" __complete -- "${'$'}{(@Q)words[2,CURRENT-1]}" "${'$'}{(Q)PREFIX}" 2>/dev/null)}"; do
        if [[ $line == :* ]]; then
            kind=$line
            continue
        fi
        value=${'$'}{line%%$'\t'*}
        about=${'$'}{line#*$'\t'}
        # In the lists of _describe, a colon ends the word.
        value=${'$'}{value//:/\\:}
        [[ -n $about ]] && about=:$about
        if [[ $value == *[=.] ]]; then open+=("$value$about"); else finished+=("$value$about"); fi
    done
    local found=1
    (( ${'$'}{#finished} )) && _describe -t values 'fleet' finished && found=0
    # Incomplete words get no space after them.
    (( ${'$'}{#open} )) && _describe -t values 'fleet' open -S '' && found=0
    if [[ $kind == :files ]]; then
        compset -P '--*='
        _files && found=0
    fi
    return found
}
# Works both from a folder in fpath and with eval.
if [[ $funcstack[1] == _fleet ]]; then
    _fleet "$@"
elif (( $+functions[compdef] )); then
    compdef _fleet fleet
else
    autoload -Uz compinit && compinit && compdef _fleet fleet
fi
`;

/** The script for PowerShell 5.1 and newer. */
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
