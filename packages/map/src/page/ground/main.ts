// The second script of the page: the ground of the map, and streets from an archive. It hands itself to the first one.
import { GROUND_EVENT } from '../ground-link.js';
import { startGround } from './ground.js';

document.dispatchEvent(new CustomEvent(GROUND_EVENT, { detail: startGround }));
