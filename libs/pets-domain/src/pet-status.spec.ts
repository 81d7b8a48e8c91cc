import { petRules } from './pet.js';
import { DEFAULT_PET_STATUS, PET_STATUSES } from './pet-status.js';

describe('the status of a pet', () => {
  test('is available, pending or sold', () => {
    expect(PET_STATUSES).toEqual(['available', 'pending', 'sold']);
  });

  test('is available when nothing else was said', () => {
    expect(DEFAULT_PET_STATUS).toBe('available');
  });

  test.each(PET_STATUSES)('may be %s', (status) => {
    expect(petRules.status(status)).toBeUndefined();
  });

  test.each(['Available', 'SOLD', ' sold', 'sold ', 'lost', '', null, undefined, 0, ['sold'], { status: 'sold' }])(
    'may not be %j',
    (value) => {
      expect(petRules.status(value)).toMatch('must be one of');
    },
  );
});
