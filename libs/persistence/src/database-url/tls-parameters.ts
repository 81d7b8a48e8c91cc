/** The TLS parameters of an address, and the environment variables that libpq reads instead of them. */
export const TLS_VARIABLES = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

/** The name of a TLS parameter of an address. */
export type TlsParameter = keyof typeof TLS_VARIABLES;

/** The TLS parameters that an address may have. */
export const TLS_PARAMETERS = Object.keys(TLS_VARIABLES) as TlsParameter[];

/** Variables of libpq that demand more security, and that this service does not support. */
export const UNKNOWN_TLS_VARIABLES = /^PG(?:SSL(?!(?:MODE|ROOTCERT|CERT|KEY)$)|REQUIRE|CHANNELBINDING)/;

/** In these parameters `+` is a plus sign, and not a blank as in HTML forms. */
export function parametersOf({ search }: URL): URLSearchParams {
  return new URLSearchParams(search.replaceAll('+', '%2B'));
}
