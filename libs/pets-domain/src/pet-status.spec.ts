import { petRules } from './pet.js';

describe('the status of a pet', () => {
  test.each(['available', 'pending', 'sold'])('may be %s', (status) => {
    expect(petRules.status(status)).toBeUndefined();
  });

  test.each(['Available', 'SOLD', ' sold', 'sold ', 'lost', '', null, undefined, 0, ['sold'], { status: 'sold' }])(
    'may not be %j',
    (value) => {
      expect(petRules.status(value)).toMatch('must be one of');
    },
  );
});
