// Reads the flags --tiles and --attribution.
import { refusal } from 'fleet-telematics/kit/command';
import type { MapTiles } from '../shapes.js';

export interface TileFlags {
  readonly tiles?: string;
  readonly attribution?: string;
}

/** @throws CliError USAGE for an address that cannot be used */
export function tilesOf({ tiles, attribution }: TileFlags): MapTiles | null {
  if (tiles === undefined) {
    if (attribution === undefined) return null;
    throw refusal('--attribution needs --tiles.', {
      hint: 'Leave it out, or add --tiles.',
    });
  }
  const problem = problemOf(tiles);
  if (problem !== null) {
    throw refusal(`--tiles ${problem}`, {
      hint: 'Write it as https://tiles.example.com/{z}/{x}/{y}.png, as the provider of the map gives it.',
    });
  }
  if (attribution === undefined || attribution.trim() === '') {
    throw refusal('--tiles needs --attribution.', {
      hint: 'Name whom the map comes from, as its licence asks: --attribution "© OpenStreetMap contributors".',
    });
  }
  return { template: tiles, attribution };
}

function problemOf(template: string): string | null {
  if (!['{z}', '{x}', '{y}'].every((part) => template.includes(part))) return 'must contain {z}, {x} and {y}.';
  const other = /\{(?!(?:s|z|x|y|r)\})[^}]*\}?/.exec(template);
  if (other !== null) return `contains ${other[0]}; there are {s}, {z}, {x}, {y} and {r}.`;
  const address = template.replace('{s}', 'a').replace(/\{\w\}/g, '0');
  if (!URL.canParse(address)) return 'is not an address.';
  const problem = problemOfHost(new URL(address));
  if (problem !== null) return problem;
  return /^https?:\/\/[^/{}]*(\{s\})?[^/{}]*\//.test(template)
    ? null
    : 'may contain no placeholder but {s} in the host name.';
}

/** Returns why the page cannot use this address, or null. */
export function problemOfHost({ protocol, username, password, hostname }: URL): string | null {
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://.';
  if (username !== '' || password !== '')
    return 'must not contain a password: everybody who opens the page can read it.';
  // The host becomes part of the page's content security policy.
  return /^[\w.:[\]-]+$/.test(hostname) ? null : 'has an invalid host name.';
}
