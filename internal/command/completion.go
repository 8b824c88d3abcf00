package command

import (
	"fmt"
	"os"

	"github.com/urfave/cli/v2"
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a script that completes commands and flags in a shell",
		ArgsUsage: "bash|zsh|fish",
		Description: `  source <(eql completion bash)
  source <(eql completion zsh)
  eql completion fish | source`,
		Action: func(c *cli.Context) error {
			args, err := arguments(c, "one of bash, zsh and fish")
			if err != nil {
				return err
			}
			script, ok := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[args[0]]
			if !ok {
				return usagef("there is no completion for %q (there is for bash, zsh, fish)", args[0])
			}
			_, err = fmt.Fprint(os.Stdout, script)
			return err
		},
	}
}

// The scripts ask eql itself; files are completed where it has nothing to say.
const (
	bashCompletion = `_eql() {
  local words=("${COMP_WORDS[@]:0:$COMP_CWORD}") current="${COMP_WORDS[COMP_CWORD]}"
  [[ "$current" == -* ]] && words+=("$current")
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$current"))
}
complete -o default -F _eql eql
`
	zshCompletion = `#compdef eql
_eql() {
  local -a options
  local current="${words[CURRENT]}"
  if [[ "$current" == -* ]]; then
    options=("${(@f)$(${words[1,CURRENT]} --generate-bash-completion 2>/dev/null)}")
  else
    options=("${(@f)$(${words[1,CURRENT-1]} --generate-bash-completion 2>/dev/null)}")
  fi
  [[ -n "$options" ]] && _describe 'eql' options || _files
}
compdef _eql eql
`
	fishCompletion = `function __eql_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  string match -q -- '-*' "$current"; and set -a words "$current"
  command $words --generate-bash-completion 2>/dev/null
end
complete -c eql -a '(__eql_complete)'
`
)
