import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '@animal-store/kernel';
import { NewPet, Pet, petRules, PET_NAME_MAX_CODE_POINTS } from './pet.js';
import { PET_STATUSES, type PetStatus } from './pet-status.js';
import { InvalidPetError, PetTransitionError } from './pet.errors.js';

/** One code point, two UTF-16 units. */
const ASTRAL = '\u{1F980}';

/** Any character that Unicode knows, one code point each. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

/** Every name that PostgreSQL can keep and a reader can see. */
const names = fc
  .string({ unit: character, minLength: 1, maxLength: PET_NAME_MAX_CODE_POINTS })
  .filter((name) => /\S/u.test(name) && !name.includes('\0'));

function violationsOf(make: () => unknown): readonly string[] {
  try {
    make();
  } catch (error) {
    if (error instanceof InvalidPetError) return error.violations;
    throw error;
  }
  return [];
}

describe('the name of a pet', () => {
  test('is any text of 1 to 255 code points that is not blank, and is kept as it is', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(new NewPet(name, 1n).name).toBe(name);
      }),
    );
  });

  test.each([
    ['leading and trailing blanks', '  Rex\t'],
    ['a combining mark', 'Zoe\u0301'],
    ['a family of joined emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['255 letters', 'a'.repeat(255)],
    ['255 code points outside the basic plane', ASTRAL.repeat(255)],
  ])('may have %s', (_what, name) => {
    expect(petRules.name(name)).toBeUndefined();
  });

  test.each([
    ['256 letters', 'a'.repeat(256)],
    ['256 code points outside the basic plane', ASTRAL.repeat(256)],
    ['254 code points outside the basic plane and two letters', `${ASTRAL.repeat(254)}ab`],
  ])('must not have %s', (_what, name) => {
    expect(petRules.name(name)).toBe('must be at most 255 characters long');
  });

  test('is refused in no time when it is a megabyte long', () => {
    expect(petRules.name(ASTRAL.repeat(500_000))).toBe('must be at most 255 characters long');
  });

  test('must not be blank, whatever kind of blank it is made of', () => {
    const blanks = fc.string({
      unit: fc.constantFrom(' ', '\t', '\n', '\r', '\v', '\f', '\u00A0', '\u2003', '\u3000', '\uFEFF', '\u2028'),
      maxLength: 300,
    });
    fc.assert(
      fc.property(blanks, (name) => {
        expect(petRules.name(name)).toBe('must contain at least one non-blank character');
      }),
      { examples: [['']] },
    );
  });

  test('must not contain NUL', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), fc.string({ maxLength: 100 }), (before, after) => {
        expect(petRules.name(`a${before}\0${after}`)).toBe('must not contain the NUL character (U+0000)');
      }),
    );
  });

  test('must not contain half of a surrogate pair', () => {
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), half, fc.string({ maxLength: 50 }), (before, unit, after) => {
        expect(petRules.name(`a${before}${unit}b${after}`)).toMatch(/^must be well-formed Unicode/);
      }),
    );
  });

  test.each([undefined, null, 1, 1n, true, ['Rex'], {}])('must be a string, which %p is not', (value) => {
    expect(petRules.name(value)).toBe('must be a string');
  });
});

describe('the category of a pet', () => {
  test('is any int64', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), (categoryId) => {
        expect(new NewPet('Rex', categoryId).categoryId).toBe(categoryId);
      }),
      { examples: [[INT64_MIN], [INT64_MAX], [0n]] },
    );
  });

  test.each([INT64_MAX + 1n, INT64_MIN - 1n, 7, 1.5, '7', null, undefined])('is not %p', (value) => {
    expect(petRules.categoryId(value)).toMatch(
      /^must be an integer between -9223372036854775808 and 9223372036854775807/,
    );
  });
});

describe('the status of an animal to be added', () => {
  test('is available when it is left out', () => {
    expect(new NewPet('Rex', 7n).status).toBe('available');
  });
});

describe('a pet', () => {
  test('is refused with every violation at once', () => {
    expect(violationsOf(() => new NewPet('', 2n ** 63n, 'lost' as never))).toEqual([
      'name must contain at least one non-blank character',
      'categoryId must be an integer between -9223372036854775808 and 9223372036854775807',
      'status must be one of available, pending, sold',
    ]);
  });

  test('of the catalogue has an id and obeys the same rules', () => {
    expect(violationsOf(() => new Pet(1n, '\0', 7n, 'sold'))).toEqual([
      'name must not contain the NUL character (U+0000)',
    ]);
  });
});

describe('what becomes of a pet', () => {
  const CHANGES = ['reserve', 'release', 'sell'] as const;
  const ALLOWED: Record<(typeof CHANGES)[number], readonly [from: PetStatus, to: PetStatus]> = {
    reserve: ['available', 'pending'],
    release: ['pending', 'available'],
    sell: ['pending', 'sold'],
  };
  const REFUSED = CHANGES.flatMap((change) =>
    PET_STATUSES.filter((status) => status !== ALLOWED[change][0]).map((status) => ({ change, status })),
  );

  function rex(status: PetStatus): Pet {
    return new Pet(9007199254740993n, 'Rex', 7n, status);
  }

  test.each(CHANGES)('by %s is another status, and nothing else', (change) => {
    const [from, to] = ALLOWED[change];
    expect(rex(from)[change]()).toEqual(rex(to));
  });

  test.each(REFUSED)('is refused: to $change one that is $status', ({ change, status }) => {
    expect(() => rex(status)[change]()).toThrow(PetTransitionError);
  });

  test('is told where it is refused, with what is and what must be', () => {
    expect(() => rex('sold').reserve()).toThrow(
      'The animal 9007199254740993 is sold: to reserve one, so that it becomes pending, it must be available',
    );
  });

  test.each([
    ['reserve', 'pet_not_available'],
    ['release', 'conflict'],
    ['sell', 'conflict'],
  ] as const)('is refused to %s as a conflict, with the code %s', (change, code) => {
    expect(() => rex('sold')[change]()).toThrow(expect.objectContaining({ kind: 'conflict', code }) as Error);
  });
});

describe('a copy of a pet', () => {
  /** A field that a later version has. */
  const later = Object.assign(new NewPet('Rex', 7n), { color: 'black' });

  test('has all its fields, also those that were added later, when it is stored and when its status changes', () => {
    const stored = Pet.of(1n, later);
    expect([stored, stored.reserve()]).toEqual([
      { id: 1n, name: 'Rex', categoryId: 7n, status: 'available', color: 'black' },
      { id: 1n, name: 'Rex', categoryId: 7n, status: 'pending', color: 'black' },
    ]);
    expect(stored.reserve()).toBeInstanceOf(Pet);
  });
});

describe('the status of a pet', () => {
  test.each(['Available', ' sold', 'lost', '', null, undefined, ['sold']])('may not be %j', (value) => {
    expect(petRules.status(value)).toMatch('must be one of');
  });
});
