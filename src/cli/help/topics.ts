// Texts of the `fleet help` topics, which apply to all commands.
import type { Command } from 'commander';
import { helpWidthOf, itemLines, optionItems } from './page.js';
import type { HelpTopic } from './topic-names.js';

export const environmentHelp = `Environment:
  FLEET_BASE_URL     address of the service
  FLEET_USERNAME     user name for logins without a prompt
  FLEET_PASSWORD     its password
  FLEET_PASSWORD_FILE
                     file that contains the password, which only you can read
  FLEET_CREDENTIAL_COMMAND
                     command that prints the password, or JSON with username
                     and password
  FLEET_USER         user to act for, when the login has several
  FLEET_PROFILE      settings to use, as saved by \`fleet login --profile\`
  FLEET_CONFIG_DIR   folder of profiles and sessions
  FLEET_OUTPUT       output format
  FLEET_REDIS_URL    Redis that shares turns and session between machines
  FLEET_REDIS_KEY    key that encrypts the session there
  FLEET_WEBHOOK_SECRET
                     secret that signs the events of \`fleet watch --post\`
  FLEET_WEBHOOK_URL  address that \`fleet watch --post\` sends to
  FLEET_TIME_ZONE    time zone of tables and of the times that you type
  TZ                 the same, where FLEET_TIME_ZONE is not set
  FLEET_JOURNAL      off: keep no journal of changes for \`fleet history\`
  FLEET_PAGER, PAGER program for output that is longer than the screen; empty for none
  XDG_CACHE_HOME     fleet-telematics/ in it keeps compiled code and names for
                     completion (not set: the cache folder of the system)
  NO_COLOR, FORCE_COLOR, HTTP_PROXY, HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS
                     as in other programs

A flag wins over the environment, the environment over the profile.`;

export const exitCodesHelp = `Exit codes:
    0 success            6 service refused or failed
    1 unexpected         7 busy: too many requests, or another sync of the copy
    2 usage              8 network, timeout, 502-504
    3 configuration      9 change with unknown outcome
    4 not logged in     10 --dry-run found differences
    5 not found        130 interrupted (Ctrl-C), 143 terminated (SIGTERM)`;

export function topicText(program: Command, topic: HelpTopic): string {
  if (topic === 'environment') return `${environmentHelp}\n`;
  if (topic === 'exit-codes') return `${exitCodesHelp}\n`;
  const helper = program.createHelp();
  const width = helpWidthOf(program);
  const options = itemLines('Options', optionItems(helper, helper.visibleOptions(program)), width, helper);
  return `Put these options before or after the name of a command. A command refuses those that would have no effect on it.\n\n${options.join('\n')}\n`;
}
