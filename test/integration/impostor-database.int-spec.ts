import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { isDatabaseUnavailable } from '../../libs/persistence/src/errors/database-errors.js';
import { postgresOptions } from '../../libs/persistence/src/mikro-orm.config.js';
import { certificateFile, type CertificateName } from '../support/certificates.js';
import { ImpostorDatabase, PASSWORD_PLEASE } from './impostor-database.js';

const CA = `sslrootcert=${certificateFile('authority')}`;

/** Long enough for any further data to arrive. */
const A_WHILE_MS = 100;

const STRICT = ['?sslmode=require', `?sslmode=verify-ca&${CA}`, `?sslmode=verify-full&${CA}`];

interface Approach {
  readonly refusal: unknown;
  readonly told: string;
  readonly confided: string;
}

/** What the service sends to the impostor before it closes the connection. */
async function approach(
  query: string,
  answer: Buffer | string | undefined,
  certificate?: CertificateName,
): Promise<Approach> {
  const database = await ImpostorDatabase.open(answer, certificate);
  const orm = new MikroORM({ ...postgresOptions(database.url(query), 1), discovery: { warnWhenNoEntities: false } });
  try {
    const refused = orm.em.execute('select 1').catch((error: unknown) => error);
    const refusal = await Promise.race([refused, delay(1_000, undefined, { ref: false })]);
    await delay(A_WHILE_MS);
    return { refusal, told: database.told, confided: database.confided };
  } finally {
    database.close();
    await orm.close();
  }
}

describe('an impostor of the database', () => {
  test('is told the password where no mode forbids it', async () => {
    expect((await approach('', 'N')).told).toContain('s3cret');
  });

  test('is told the password behind a certificate that verify-full trusts', async () => {
    expect((await approach(STRICT[2]!, 'S', 'server')).confided).toContain('s3cret');
  });

  describe('is told nothing', () => {
    test.each([
      ['has no TLS', 'N'],
      ['asks for the password in the place of an answer', PASSWORD_PLEASE],
      [
        'says yes and asks for the password in one packet, unencrypted',
        Buffer.concat([Buffer.from('S'), PASSWORD_PLEASE]),
      ],
      ['says yes, then asks for the password unencrypted', 'S'],
    ])('where it %s', async (_what, answer) => {
      const { refusal, told, confided } = await approach(STRICT[0]!, answer);
      expect(isDatabaseUnavailable(refusal)).toBe(true);
      expect(told).not.toContain('shop');
      expect(told).not.toContain('s3cret');
      expect(confided).toBe('');
    });

    test.each(STRICT.slice(1))('without TLS, with %s', async (query) => {
      const { refusal, told } = await approach(query, 'N');
      expect([isDatabaseUnavailable(refusal), told]).toEqual([true, '']);
    });
  });

  test.each([
    ['another authority', `?sslmode=verify-full&sslrootcert=${certificateFile('another-authority')}`, 'server'],
    ['its own authority', STRICT[2]!, 'self-signed'],
  ] as const)('is told nothing behind a certificate of %s', async (_what, query, certificate) => {
    const { refusal, told, confided } = await approach(query, 'S', certificate);
    expect(isDatabaseUnavailable(refusal)).toBe(true);
    expect({ told, confided }).toEqual({ told: '', confided: '' });
  });
});
