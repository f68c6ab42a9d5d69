// The page's second script: the base map. Passes its factory to the first script in an event.
import { GROUND_EVENT } from '../ground-link.js';
import { startGround } from './ground.js';

document.dispatchEvent(new CustomEvent(GROUND_EVENT, { detail: startGround }));
