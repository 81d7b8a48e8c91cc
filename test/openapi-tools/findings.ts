import { join } from 'node:path';
import { PACKAGE, runTool } from './tool.js';

/** What a linter says against the document. */
export interface Finding {
  readonly rule: string;
  /** The place in the document, its names joined by a slash. */
  readonly at: string;
  readonly says: string;
}

export function line({ rule, at, says }: Finding): string {
  return `${rule} ${at}: ${says}`;
}

/** All rules of Spectral for OpenAPI, and ours of spectral.yaml. @throws Error when the linter fails */
export async function spectralFindings(document: string): Promise<Finding[]> {
  const rules = join(PACKAGE, 'spectral.yaml');
  const args = ['lint', '--ruleset', rules, '--fail-severity', 'hint', '--format', 'json', '--quiet', document];
  const { answered, complained } = await runTool('spectral', args);
  const results = read(answered, complained) as { code: string; path: string[]; message: string }[];
  return results.map(({ code, path, message }) => ({ rule: code, at: path.join('/'), says: message }));
}

/** All rules of IBM's validator, also those that only warn. @throws Error when the linter fails */
export async function ibmFindings(document: string): Promise<Finding[]> {
  const { answered, complained } = await runTool('lint-openapi', ['--ruleset', 'default', '--json', document]);
  const severities = read(answered, complained) as Record<
    string,
    { results?: { rule: string; path: string[]; message: string }[] }
  >;
  return ['error', 'warning', 'info', 'hint']
    .flatMap((severity) => severities[severity]?.results ?? [])
    .map(({ rule, path, message }) => ({ rule, at: path.join('/'), says: message }));
}

function read(answered: string, complained: string): unknown {
  try {
    return JSON.parse(answered);
  } catch (error) {
    throw new Error(`The linter failed: ${complained}${answered}`, { cause: error });
  }
}
