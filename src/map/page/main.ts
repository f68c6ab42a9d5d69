// The page of `fleet map`. It connects the data, the list, the panel, the slider and the map.
import './page.css';
import type { MapSetup } from '../shapes.js';
import { App } from './app.js';
import { find } from './dom.js';

const setup: MapSetup = JSON.parse(find('setup', HTMLScriptElement).textContent ?? '');
new App(setup).start();
