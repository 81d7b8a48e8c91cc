/** The names of the settings for the address, such as `PORT`. */
export interface ListenSettings {
  readonly port: string;
  readonly host: string;
}

type Sentence = (error: NodeJS.ErrnoException, settings: ListenSettings, at: { host: string; port: number }) => string;

/** What is wrong with the address, and what to change, by the code of the error. */
export const LISTEN_SENTENCES: Readonly<Record<string, Sentence>> = {
  EADDRINUSE: (_error, settings, { host, port }) =>
    `Port ${port} of ${host} is taken. Stop what listens there, or choose another port with ${settings.port}.`,
  EACCES: (_error, settings, { port }) =>
    `This user may not listen on port ${port}. Choose another one with ${settings.port}, such as one above 1023.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
  EAFNOSUPPORT: noAddress,
};

function noAddress({ code }: NodeJS.ErrnoException, settings: ListenSettings, { host }: { host: string }): string {
  return `${host} is no address of this machine (${code}). Choose another with ${settings.host}, such as 127.0.0.1 or 0.0.0.0.`;
}
