// The topics of `fleet help`. The start of every command reads this, so it imports nothing.

/** Each topic, with what `fleet --help` says about it. */
export const helpTopics = {
  options: 'the options that many commands have',
  environment: 'the environment variables',
  'exit-codes': 'the exit codes',
} as const;

export type HelpTopic = keyof typeof helpTopics;

export function isHelpTopic(word: string | undefined): word is HelpTopic {
  return word !== undefined && Object.hasOwn(helpTopics, word);
}
