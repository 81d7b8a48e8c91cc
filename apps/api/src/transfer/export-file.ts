import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BrokenExportError, flush } from '@animal-store/persistence/transfer';

/** Stands for the standard output or the standard input. */
export const STANDARD_STREAM = '-';

/** The output of one decompression step, in bytes. */
const CHUNK_BYTES = 256 * 1024;

const GZIP_START = [0x1f, 0x8b];

/** A file of that name already exists. */
export class FileExistsError extends Error {
  readonly kind = 'conflict';

  constructor(path: string) {
    super(`${path} is there already. Name another file, or add --overwrite.`);
  }
}

type Write = (bytes: Buffer) => Promise<void>;

/**
 * Compresses the output of `work` into a file that only its owner may read. The file gets its name when all of it is on
 * the disk; otherwise it does not exist.
 *
 * @throws FileExistsError, and the errors of `work`
 */
export async function writeExportFile<Result>(
  path: string,
  { overwrite, signal }: { overwrite: boolean; signal: AbortSignal },
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  if (path === STANDARD_STREAM) return await compressing(process.stdout, signal, work);
  if (!overwrite && existsSync(path)) throw new FileExistsError(path);
  const partial = `${path}.partial-${process.pid}`;
  try {
    const file: WriteStream = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    const result = await compressing(file, signal, work);
    await rename(partial, path);
    await flush(dirname(path));
    return result;
  } finally {
    await rm(partial, { force: true });
  }
}

async function compressing<Result>(
  to: Writable,
  signal: AbortSignal,
  work: (write: Write) => Promise<Result>,
): Promise<Result> {
  const gzip = createGzip();
  const failed = new AbortController();
  const flowing = pipeline(gzip, to, { signal });
  flowing.catch((error: unknown) => {
    failed.abort(signal.aborted ? signal.reason : error);
  });
  try {
    const result = await work(async (bytes) => {
      failed.signal.throwIfAborted();
      if (!gzip.write(bytes)) await once(gzip, 'drain', { signal: failed.signal });
    });
    gzip.end();
    await flowing;
    return result;
  } catch (error) {
    gzip.destroy();
    await flowing.catch(() => undefined);
    // Reports the reason of the failed write, and not the failed compression.
    throw failed.signal.aborted && isAbort(error) ? failed.signal.reason : error;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * The text of an export, compressed or not.
 *
 * @throws BrokenExportError if the compressed data is damaged
 */
export async function* readExportFile(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const source = path === STANDARD_STREAM ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const chunks = (source as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const all = Readable.from(behind(first.value, chunks), { objectMode: false });
  if (!GZIP_START.every((byte, index) => first.value[index] === byte)) {
    for await (const chunk of all as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      yield chunk;
    }
    return;
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const flowing = pipeline(all, gunzip);
  flowing.catch(() => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      yield chunk;
    }
  } catch (error) {
    throw isZlib(error) ? new BrokenExportError(`its compression is damaged or cut off (${error.message})`) : error;
  }
}

async function* behind(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

function isZlib(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
