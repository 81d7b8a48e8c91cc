import { Ledger, type StoredPet } from './ledger.js';

const REX = { id: '1', name: 'Rex', status: 'sold' };

function compare(stored: StoredPet[], tell: (ledger: Ledger) => void): string[] {
  const ledger = new Ledger();
  ledger.begin('Rex', 'sold');
  tell(ledger);
  return ledger.compare(stored);
}

test('a pet that was acknowledged is missed where it is not there, is there twice, or is another one', () => {
  const acknowledge = (ledger: Ledger) => {
    ledger.acknowledge('Rex', '1');
  };
  expect(compare([REX], acknowledge)).toEqual([]);
  expect(compare([], acknowledge)).toEqual(['Rex was acknowledged as 1, and is lost']);
  expect(compare([REX, { ...REX, id: '2' }], acknowledge)).toEqual(['Rex is there 2 times']);
  expect(compare([{ ...REX, id: '2' }], acknowledge)).toHaveLength(1);
  expect(compare([{ ...REX, status: 'pending' }], acknowledge)).toHaveLength(1);
});

test('a pet whose addition was refused must not be there, and one of which nothing is known may be', () => {
  const refuse = (ledger: Ledger) => {
    ledger.refuse('Rex');
  };
  const nothing = () => undefined;
  expect([compare([], refuse), compare([], nothing), compare([REX], nothing)]).toEqual([[], [], []]);
  expect(compare([REX], refuse)).toEqual(['Rex was refused, and is there as 1']);
});

test('a pet that nobody sent, or that appears behind a page that was read, is found', () => {
  expect(compare([REX, { ...REX, name: 'Mia', id: '2' }], () => undefined)).toEqual(['Mia was sent by nobody']);
  const page = { after: 0n, last: 1n, count: 0 };
  expect(
    compare([REX], (ledger) => {
      ledger.readPage(page);
      ledger.readPage({ ...page, count: 1 });
    }),
  ).toEqual(['behind 0 were 0 pets up to 1, and now there are 1']);
});
