import { parametersOf, TLS_PARAMETERS, TLS_VARIABLES } from './tls-parameters.js';

/**
 * Adds the TLS parameters of the environment that the address does not have itself (PostgreSQL, 34.15). A text that is no
 * address is returned unchanged.
 */
export function completeDatabaseUrl(text: string, variables: NodeJS.ProcessEnv): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const missing = TLS_PARAMETERS.filter((name) => !parametersOf(url).has(name));
  const added = missing.flatMap((name) => {
    const value = variables[TLS_VARIABLES[name]];
    return value === undefined ? [] : `${name}=${encodeURIComponent(value)}`;
  });
  if (added.length === 0) return text;
  return `${text}${text.includes('?') ? '&' : '?'}${added.join('&')}`;
}
