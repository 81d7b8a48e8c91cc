/** The state of the keys does not allow the change that an administrator asked for. */
export class ApiKeyRefusedError extends Error {
  readonly kind = 'conflict';
  readonly code = 'conflict';

  static nameInUse(name: string): ApiKeyRefusedError {
    return new ApiKeyRefusedError(
      `A live key has the name ${JSON.stringify(name)} already: rotate it, revoke it, or choose another name`,
    );
  }

  static notLive(name: string): ApiKeyRefusedError {
    return new ApiKeyRefusedError(`No live key has the name ${JSON.stringify(name)}: create one`);
  }

  static unknown(which: { readonly name: string } | { readonly id: bigint }): ApiKeyRefusedError {
    const what = 'name' in which ? `name ${JSON.stringify(which.name)}` : `id ${which.id}`;
    return new ApiKeyRefusedError(`No key has or had the ${what}`);
  }
}
