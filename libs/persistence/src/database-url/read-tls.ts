import { tlsFaults } from './tls-faults.js';
import { TLS_PARAMETERS, TLS_VARIABLES, type TlsParameter } from './tls-parameters.js';
import { SSL_MODES, type SslMode, type TlsSettings } from './tls-settings.js';

/** The settings of these parameters; `undefined`: without TLS. @param faults what is wrong with them is added */
export function readTls(parameters: URLSearchParams, faults: string[]): TlsSettings | undefined {
  const names = [...parameters.keys()];
  for (const name of new Set(names)) {
    if (!Object.hasOwn(TLS_VARIABLES, name)) {
      const shown = /^[a-z0-9_]{1,63}$/i.test(name) ? `the parameter "${name}"` : 'other parameters';
      faults.push(`must not have ${shown}: ${listed(TLS_PARAMETERS, 'and')} are those that it may have`);
    } else if (names.indexOf(name) !== names.lastIndexOf(name)) {
      faults.push(`must have the parameter ${name} once`);
    }
  }
  const value = (name: TlsParameter) => parameters.get(name) ?? undefined;
  const [rootCertificate, certificate, key] = [value('sslrootcert'), value('sslcert'), value('sslkey')];
  // With the certificates of the system libpq uses and requires `verify-full`.
  const mode = value('sslmode') ?? (rootCertificate === 'system' ? 'verify-full' : undefined);
  if (mode === 'disable') return undefined;
  if (mode === undefined) {
    const [without] = TLS_PARAMETERS.filter((name) => parameters.has(name));
    if (without !== undefined) {
      faults.push(`must say which sslmode (or PGSSLMODE) its ${without} is for: without one there is no TLS`);
    }
    return undefined;
  }
  if (!isSslMode(mode)) {
    faults.push(`must have ${listed(['disable', ...SSL_MODES], 'or')} for its sslmode (or PGSSLMODE)`);
    return undefined;
  }
  const tls = { mode, rootCertificate, certificate, key };
  faults.push(...tlsFaults(tls));
  return tls;
}

function isSslMode(text: string): text is SslMode {
  return (SSL_MODES as readonly string[]).includes(text);
}

function listed(words: readonly string[], conjunction: string): string {
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
