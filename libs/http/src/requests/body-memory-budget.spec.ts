import { BodiesTooLargeError } from './bodies-too-large.error.js';
import { BodyMemoryBudget, type BodyReservation } from './body-memory-budget.js';

describe('BodyMemoryBudget', () => {
  let memory: BodyMemoryBudget;
  let refused: string[];

  beforeEach(() => {
    memory = new BodyMemoryBudget(100);
    refused = [];
  });

  function open(name: string): BodyReservation {
    const room: BodyReservation = memory.open((error) => {
      expect(error).toBeInstanceOf(BodiesTooLargeError);
      refused.push(name);
      room.release();
    });
    return room;
  }

  test('gives room up to the limit', () => {
    open('a').grow(60);
    open('b').grow(40);
    expect(refused).toEqual([]);
  });

  test('counts the room of a body that grows once', () => {
    const room = open('a');
    room.grow(60);
    room.grow(100);
    expect(refused).toEqual([]);
  });

  test('refuses the largest body when there is too little for a smaller one', () => {
    open('large').grow(80);
    open('small').grow(30);
    expect(refused).toEqual(['large']);
  });

  test('refuses the one that asks where it is the largest', () => {
    open('small').grow(30);
    open('large').grow(80);
    expect(refused).toEqual(['large']);
  });

  test('refuses as many as it must', () => {
    const rooms = ['a', 'b', 'c'].map(open);
    for (const room of rooms) room.grow(33);
    const [first] = rooms;
    first?.grow(100);
    expect(refused).toEqual(['a']);
  });

  test('has the room of a body again that was released, once', () => {
    const room = open('a');
    room.grow(100);
    room.release();
    room.release();
    open('b').grow(60);
    open('c').grow(40);
    expect(refused).toEqual([]);
  });
});
