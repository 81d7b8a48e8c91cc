import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  InvalidDatabaseUrlError,
  isPrivate,
  readDatabaseUrl,
} from '../../libs/persistence/src/database-url/database-url.js';
import { certificateFile, keyFile, type CertificateName } from '../support/certificates.js';

const CA = certificateFile('authority');

function faultsOf(query: string): readonly string[] {
  try {
    readDatabaseUrl(`postgresql://db/pets?${query}`);
  } catch (error) {
    if (error instanceof InvalidDatabaseUrlError) return error.faults;
    throw error;
  }
  return [];
}

describe('the authorities to trust', () => {
  test.each([
    ['require', CA],
    ['verify-ca', encodeURIComponent(CA)],
    ['verify-full', CA],
  ])('are read for %s', (mode, file) => {
    const url = readDatabaseUrl(`postgresql://db/pets?sslrootcert=${file}&sslmode=${mode}`);
    expect(url.tls).toEqual({ mode, rootCertificate: CA });
    expect(isPrivate(url)).toBe(true);
  });

  test.each([
    ['are not there', '/none', '/none does not'],
    ['are a folder', import.meta.dirname, 'illegal operation on a directory'],
    ['are none', import.meta.filename, 'sslrootcert has no certificate'],
  ])('are refused where they %s', (_what, file, fault) => {
    expect(faultsOf(`sslmode=require&sslrootcert=${file}`)).toEqual([
      expect.stringMatching(`must name files .*sslrootcert.*${fault}`),
    ]);
  });
});

test('a certificate of this side is refused without its key', () => {
  expect(faultsOf(`sslmode=require&sslcert=${CA}`)).toEqual(['must have both of sslcert and sslkey, or neither']);
});

describe('the key of this side', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function query(certificate: CertificateName, key: string, mode: number): string {
    const file = join(folder, 'key');
    copyFileSync(key, file);
    chmodSync(file, mode);
    return `sslmode=require&sslcert=${certificateFile(certificate)}&sslkey=${file}`;
  }

  test('is taken with its certificate', () => {
    expect(faultsOf(query('client', keyFile('client'), 0o600))).toEqual([]);
  });

  test.each([
    ['belongs to another certificate', query.bind(null, 'client', keyFile('server'), 0o600), 'key values mismatch'],
    ['is none', query.bind(null, 'client', certificateFile('client'), 0o600), 'must name files in PEM form'],
    ['can be read by others', query.bind(null, 'client', keyFile('client'), 0o644), 'that others cannot read'],
  ])('is refused where it %s', (_what, make, fault) => {
    expect(faultsOf(make())).toEqual([expect.stringContaining(fault)]);
  });
});
