package command

import (
	"errors"

	"github.com/hbase-rowkey/rowkey/internal/said"

	"github.com/spf13/cobra"
)

// bashCompletion needs nothing but bash 4. The shell cuts its words at signs
// such as = and >, of which conditions are made: they are put together again,
// and what is offered loses what stands before the last of them.
const bashCompletion = `# bash completion for rowkey
_rowkey() {
	local line=${COMP_LINE:0:COMP_POINT} word cur='' last quote='' args=() i flags=0 out
	local rest=$line
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((i > 0)) && [[ $rest == [[:space:]]* ]]; then
			args+=("$cur")
			cur=''
		fi
		rest=${rest#"${rest%%[![:space:]]*}"}
		((i == COMP_CWORD)) && word=$rest
		rest=${rest:${#word}}
		cur+=$word
		last=$word
	done
	local asked=("${args[@]:1}") n
	for n in "${!asked[@]}"; do
		case ${asked[n]} in
		\'*\') asked[n]=${asked[n]:1:${#asked[n]}-2} ;;
		\"*\") asked[n]=${asked[n]:1:${#asked[n]}-2} ;;
		*) asked[n]=${asked[n]//\\/} ;;
		esac
	done
	case $cur in
	[\'\"]*) quote=${cur:0:1} cur=${cur:1} last=${last#"$quote"} ;;
	*) cur=${cur//\\/} last=${last//\\/} ;;
	esac
	local front=${cur%"$last"} reply
	COMPREPLY=()
	while IFS= read -r out; do
		case $out in
		:[0-9]*) flags=${out#:} ;;
		*)
			out=${out%%$'\t'*}
			[[ -n $out && $out == "$cur"* ]] || continue
			reply=${out#"$front"}
			[[ -n $quote ]] || printf -v reply %q "$reply"
			COMPREPLY+=("$reply")
			;;
		esac
	done < <("${args[0]}" __complete "${asked[@]}" "$cur" 2>/dev/null)
	((flags & 2)) && compopt -o nospace 2>/dev/null
	((flags & 4)) && compopt +o default 2>/dev/null
	return 0
}
complete -o default -F _rowkey rowkey
`

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Write what completes subcommands, flags, schemas and fields in a shell",
		Long: `Write what completes subcommands, flags, schemas, fields and their conditions in a shell, without any
other package:

  source <(rowkey completion bash)
  source <(rowkey completion zsh)
  rowkey completion fish | source`,
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("expected bash, zsh or fish")
			}
			switch args[0] {
			case "bash":
				return a.write(bashCompletion)
			case "zsh":
				return c.Root().GenZshCompletion(a.stdout)
			case "fish":
				return c.Root().GenFishCompletion(a.stdout, true)
			}
			return errors.New("expected bash, zsh or fish, not " + said.Shown(args[0]) + said.Perhaps(args[0], shells))
		},
	}
}
