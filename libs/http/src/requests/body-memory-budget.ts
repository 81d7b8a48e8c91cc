/** All bodies that are being read take more memory than they may together. Nothing was done for this request. */
export class BodiesTooLargeError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor() {
    super('The service reads too many large bodies at the moment: try again later');
  }
}

/** The room that one body takes. */
export interface BodyReservation {
  /** Tells that it takes this many bytes in all by now: it may be refused, or another one. */
  grow(bytes: number): void;
  /** Gives all of it back. Safe to repeat. */
  release(): void;
}

interface Body {
  bytes: number;
  readonly refuse: (error: Error) => void;
}

/**
 * Bounds the bytes of all bodies that are being read. When they are too many, the body that takes the most is refused: who
 * sends small ones is served, whatever others hold.
 */
export class BodyMemoryBudget {
  private held = 0;
  private readonly bodies = new Set<Body>();

  /** @param limit in bytes, of all bodies together */
  constructor(private readonly limit: number) {}

  /** @param refuse called when the body must give up its room; it releases it */
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
