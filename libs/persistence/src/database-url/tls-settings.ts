/** The modes of libpq that can use TLS (PostgreSQL, table 34.1). */
export const SSL_MODES = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

export type SslMode = (typeof SSL_MODES)[number];

/** The encryption of a connection, in libpq's terms. */
export interface TlsSettings {
  readonly mode: SslMode;
  /** The file of the trusted certificate authorities, or `system` for those of the operating system. */
  readonly rootCertificate: string | undefined;
  /** The files of the client certificate and of its private key. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}
