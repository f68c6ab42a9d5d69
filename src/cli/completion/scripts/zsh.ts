// Completion script for zsh.
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
