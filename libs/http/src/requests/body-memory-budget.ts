import { BodiesTooLargeError } from './bodies-too-large.error.js';

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
