import { readFileSync } from 'node:fs';

/** The content of a file. @param faults gets one more if the file cannot be read */
export function readable(parameter: string, file: string, faults: string[]): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    faults.push(`must name a file that can be read in ${parameter}`);
    return undefined;
  }
}
