import type { PageQuery } from '@animal-store/kernel';
import type { Pet } from '@animal-store/pets-domain';

/** A time at which a vet sees a pet. */
export class Appointment {
  readonly id!: bigint;

  constructor(
    readonly vet: string,
    readonly pet: Pet,
    readonly startsAt: Date,
    readonly endsAt: Date,
    /** Exact, as `49.90`. */
    readonly price: string,
  ) {}
}

/** The vet has another appointment at that time. */
export class SlotTakenError extends Error {
  readonly kind = 'conflict';
  readonly code = 'slot_taken';
}

export interface NewAppointment extends Omit<Appointment, 'id' | 'pet'> {
  readonly petId: bigint;
}

/** Which appointments a list contains. */
export interface AppointmentFilter {
  readonly vet?: string | undefined;
  readonly petId?: bigint | undefined;
}

export interface AppointmentPage {
  readonly appointments: readonly Appointment[];
  /** The `afterId` of the next page; `undefined` on the last page. */
  readonly nextAfterId: bigint | undefined;
}

export abstract class AppointmentRepository {
  /** @throws SlotTakenError, PetNotFoundError */
  abstract book(appointment: NewAppointment): Promise<Appointment>;

  /** In the order of their start, after the appointment with the id `afterId`. */
  abstract findPage(query: PageQuery & AppointmentFilter): Promise<AppointmentPage>;
}
