import { expect, test } from 'vitest';
import { configFolder } from '../../src/core/config-folder.js';

test.each<[string, Record<string, string>, NodeJS.Platform, string, string]>([
  ['Linux', {}, 'linux', '/home/ada', '/home/ada/.config/fleet-telematics'],
  ['XDG', { XDG_CONFIG_HOME: '/x' }, 'linux', '/home/ada', '/x/fleet-telematics'],
  [
    'a relative XDG folder is ignored',
    { XDG_CONFIG_HOME: 'x' },
    'linux',
    '/home/ada',
    '/home/ada/.config/fleet-telematics',
  ],
  ['an empty XDG folder too', { XDG_CONFIG_HOME: '' }, 'linux', '/home/ada', '/home/ada/.config/fleet-telematics'],
  ['macOS', { XDG_CONFIG_HOME: '/x' }, 'darwin', '/Users/ada', '/Users/ada/Library/Preferences/fleet-telematics'],
  ['Windows', { APPDATA: 'C:\\Users\\ada\\Roam' }, 'win32', 'C:\\Users\\ada', 'C:\\Users\\ada\\Roam\\fleet-telematics'],
  ['Windows without APPDATA', {}, 'win32', 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Roaming\\fleet-telematics'],
  ['FLEET_CONFIG_DIR', { FLEET_CONFIG_DIR: '/f', XDG_CONFIG_HOME: '/x' }, 'linux', '/home/ada', '/f'],
])('%s', (_name, env, platform, home, expected) => {
  expect(configFolder(env, platform, home)).toBe(expected);
});
