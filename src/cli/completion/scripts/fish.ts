// Completion script for fish 3 and newer. fish adds no space after words that end in = or a dot.
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
