// `fleet completion`: prints the script that lets a shell complete commands, flags, values and field names.
import { Argument } from 'commander';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, note } from '../run/context.js';
import { write } from '../run/io.js';

const shells = {
  bash: {
    load: () => import('../completion/scripts/bash.js').then(({ bash }) => bash),
    now: 'eval "$(fleet completion bash)"',
    always: 'echo \'eval "$(fleet completion bash)"\' >> ~/.bashrc',
  },
  zsh: {
    load: () => import('../completion/scripts/zsh.js').then(({ zsh }) => zsh),
    now: 'eval "$(fleet completion zsh)"',
    always: 'echo \'eval "$(fleet completion zsh)"\' >> ~/.zshrc',
  },
  fish: {
    load: () => import('../completion/scripts/fish.js').then(({ fish }) => fish),
    now: 'fleet completion fish | source',
    always: 'fleet completion fish > ~/.config/fish/completions/fleet.fish',
  },
  powershell: {
    load: () => import('../completion/scripts/powershell.js').then(({ powershell }) => powershell),
    now: 'fleet completion powershell | Out-String | Invoke-Expression',
    always: "Add-Content $PROFILE 'fleet completion powershell | Out-String | Invoke-Expression'",
  },
} as const;

type ShellName = keyof typeof shells;
const names: readonly string[] = Object.keys(shells);

export const define: DefineCommand = (noun, open) => {
  const ways = Object.entries(shells).map(([name, { now, always }]) => `  ${name}\n    ${now}\n    ${always}`);
  noun
    .summary('let your shell complete commands')
    .description(
      'Print the script that lets your shell complete commands, flags, profiles and the names of fields. It asks `fleet` on every Tab, and never the service.',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(names))
    .addHelpText('after', `\nInstall, for this shell only and for every new one:\n${ways.join('\n')}`)
    .addHelpText('after', examples(['eval "$(fleet completion bash)"', 'for this shell, now']))
    .action((name: ShellName) => completion(open(), name));
};

async function completion(context: Context, name: ShellName): Promise<void> {
  const { load, now, always } = shells[name];
  await write(context.io.stdout, await load());
  // In `eval "$(…)"` and in files nobody wants to read it again and again.
  if (context.io.stdout.isTTY !== true) return;
  note(context, '');
  note(context, `For this shell only:  ${now}`);
  note(context, `For every new one:    ${always}`);
}
