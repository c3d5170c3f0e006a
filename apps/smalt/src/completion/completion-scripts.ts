import { COMPLETE } from './decide-completion.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The line that says that a file is meant, which shells know better. */
export const FILE_MARK = ':files';

const BASH = `_smalt_complete() {
  local IFS=$'\\n' found
  found=$(smalt ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return
  if [ "$found" = '${FILE_MARK}' ]; then
    compopt -o default
    COMPREPLY=()
    return
  fi
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _smalt_complete smalt
`;

const ZSH = `#compdef smalt
_smalt() {
  local -a found
  found=("\${(@f)$(smalt ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "$found" == '${FILE_MARK}' ]]; then
    _files
  elif [[ -n "$found" ]]; then
    compadd -a found
  fi
}
compdef _smalt smalt
`;

const FISH = `function __smalt_complete
  set -l found (smalt ${COMPLETE} -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test "$found" = '${FILE_MARK}'
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c smalt -f -a '(__smalt_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** What a shell has to be told so that it completes the words of this program. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
