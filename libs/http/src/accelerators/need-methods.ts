import { MissingPartError } from './missing-part.error.js';

/**
 * Checks that an object of a library has methods.
 *
 * @param paths such as `contextUtils.mergeParamsMetatypes`
 * @throws MissingPartError
 */
export function needMethods(owner: object, name: string, paths: readonly string[]): void {
  for (const path of paths) {
    const part = path
      .split('.')
      .reduce<unknown>((from, key) => (from as Record<string, unknown> | null | undefined)?.[key], owner);
    if (typeof part !== 'function') throw new MissingPartError(`${name}.${path}`);
  }
}
