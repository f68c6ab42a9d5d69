// `fleet completion`: prints the completion script of a shell.
import { Argument } from 'commander';
import { note, type Run } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { CliError } from '../errors/cli-error.js';
import { write } from '../io/io.js';

const shells = {
  bash: {
    now: 'eval "$(fleet completion bash)"',
    always: 'echo \'eval "$(fleet completion bash)"\' >> ~/.bashrc',
  },
  zsh: {
    now: 'eval "$(fleet completion zsh)"',
    always: 'echo \'eval "$(fleet completion zsh)"\' >> ~/.zshrc',
  },
  fish: {
    now: 'fleet completion fish | source',
    always: 'fleet completion fish > ~/.config/fish/completions/fleet.fish',
  },
  powershell: {
    now: 'fleet completion powershell | Out-String | Invoke-Expression',
    always: "Add-Content $PROFILE 'fleet completion powershell | Out-String | Invoke-Expression'",
  },
} as const;

type ShellName = keyof typeof shells;
const names: readonly string[] = Object.keys(shells);

export const define: DefineCommand = (noun, open) => {
  const installations = Object.entries(shells).map(([name, { now, always }]) => `  ${name}\n    ${now}\n    ${always}`);
  noun
    .summary('let your shell complete commands')
    .description(
      'Print the script that makes your shell complete commands, flags, profiles, field names and the names of records. Every Tab runs `fleet`. Names of records come from the service, and are cached for five minutes in a folder that only you can read. A Tab waits at most one second for them.',
    )
    .addArgument(new Argument('[shell]', 'your shell').choices(names))
    .addHelpText('after', `\nInstall, for this shell or for every new shell:\n${installations.join('\n')}`)
    .addHelpText('after', examples(['eval "$(fleet completion bash)"', 'for this shell']))
    .action((name: ShellName | undefined) => completion(open(), name));
};

async function completion(run: Run, name: ShellName | undefined): Promise<void> {
  if (name === undefined) {
    throw new CliError('USAGE', 'Name your shell.', {
      hint: `Write one of ${names.join(', ')}: \`fleet completion bash\`.`,
    });
  }
  const { now, always } = shells[name];
  const scripts = await import('../completion/shell-scripts.js');
  await write(run.io.stdout, scripts[name]);
  // Printed for people only: stdout may be an `eval "$(…)"` or a file.
  if (run.io.stdout.isTTY !== true) return;
  note(run, '');
  note(run, `For this shell:       ${now}`);
  note(run, `For every new shell:  ${always}`);
}
