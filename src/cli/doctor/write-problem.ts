// Finds out whether files can be made in a folder. Access rights alone do not say: the whole file system may be read-only.
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../core/error-code.js';

/** The reason why nothing can be written there, such as `EACCES`; null when it can. A missing folder is not made. */
export function writeProblem(folder: string): string | null {
  try {
    rmSync(mkdtempSync(join(folder, '.check-')), { recursive: true });
    return null;
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? missingProblem(folder) : (errorCode(error) ?? 'unknown reason');
  }
}

/** Whether the folder itself could be made: the nearest one above it that exists must be writable. */
function missingProblem(folder: string): string | null {
  const above = dirname(folder);
  if (above === folder) return 'ENOENT';
  try {
    accessSync(above, constants.W_OK);
    return null;
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? missingProblem(above) : (errorCode(error) ?? 'unknown reason');
  }
}
