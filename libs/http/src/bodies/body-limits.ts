/** The limits within which an application reads bodies. */
export interface BodyLimits {
  /** The largest body in bytes. */
  readonly limit: number;
  /** Limits the memory of all bodies together. */
  readonly memory: BodyMemoryBudget;
  /** Limits how many connections with large bodies are read in one turn of the event loop. */
  readonly turns: TurnLimiter;
}

/** The Express setting that holds the {@link BodyLimits}. */
export const BODY_LIMITS_SETTING = 'body limits';

/**
 * The number of connections from which a chunk of a large body, 64 KiB, is read in one turn of the event loop. It is
 * small because Node accepts one new connection per turn: while 600 connections sent at once, the next one waited for
 * 1.2 s.
 */
const READS_PER_TURN = 4;

/**
 * Creates the limits of one application.
 *
 * @param limit the largest body in bytes
 * @param limitOfAll the limit in bytes of all bodies that are being read together
 */
export function createBodyLimits(limit: number, limitOfAll: number): BodyLimits {
  return { limit, memory: new BodyMemoryBudget(limitOfAll), turns: new TurnLimiter(READS_PER_TURN) };
}

/** The bodies that are being read need more memory than their common limit. The request has had no effect. */
export class BodiesTooLargeError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('The service reads too many large bodies at the moment: try again later');
  }
}

/** The memory that one body takes. */
export interface BodyReservation {
  /** Sets the bytes that the body takes in total by now. This may refuse this body or another one. */
  grow(bytes: number): void;
  /** Releases the memory. May be called again. */
  release(): void;
}

interface Body {
  bytes: number;
  readonly refuse: (error: Error) => void;
}

/**
 * Limits the memory of all bodies that are being read. Beyond the limit, the largest body is refused: a client with a
 * small body is served, whatever other clients send.
 */
export class BodyMemoryBudget {
  private held = 0;
  private readonly bodies = new Set<Body>();

  /** @param limit in bytes, of all bodies together */
  constructor(private readonly limit: number) {}

  /** @param refuse called when the body must release its memory; it must call `release` */
  open(refuse: (error: Error) => void): BodyReservation {
    const body: Body = { bytes: 0, refuse };
    this.bodies.add(body);
    return {
      grow: (bytes) => {
        this.grow(body, bytes);
      },
      release: () => {
        if (this.bodies.delete(body)) this.held -= body.bytes;
      },
    };
  }

  private grow(body: Body, bytes: number): void {
    if (bytes === body.bytes) return;
    this.held += bytes - body.bytes;
    body.bytes = bytes;
    while (this.held > this.limit && this.bodies.has(body)) this.largest(body).refuse(new BodiesTooLargeError());
  }

  private largest(asking: Body): Body {
    let largest = asking;
    for (const body of this.bodies) if (body.bytes > largest.bytes) largest = body;
    return largest;
  }
}

/** Limits how much work of one kind is done in each turn of the event loop. Work is done in the order of the calls. */
export class TurnLimiter {
  private readonly waiting: (() => void)[] = [];

  /** @param perTurn the number of callers that may continue in one turn */
  constructor(private readonly perTurn: number) {}

  /** Resolves when the caller may continue, always in a later turn of the event loop. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) this.schedule();
    });
  }

  private schedule(): void {
    setImmediate(() => {
      for (const resume of this.waiting.splice(0, this.perTurn)) resume();
      if (this.waiting.length > 0) this.schedule();
    });
  }
}
