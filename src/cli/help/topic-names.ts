// Topics of `fleet help`. Imports nothing, because every command loads it at its start.

/** Topics with their descriptions in `fleet --help`. */
export const helpTopics = {
  options: 'the options that many commands have',
  environment: 'the environment variables',
  'exit-codes': 'the exit codes',
} as const;

export type HelpTopic = keyof typeof helpTopics;

export function isHelpTopic(word: string | undefined): word is HelpTopic {
  return word !== undefined && Object.hasOwn(helpTopics, word);
}
