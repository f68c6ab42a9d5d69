// Completion script for bash 3.2 and newer. It does not need the bash-completion package.
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
