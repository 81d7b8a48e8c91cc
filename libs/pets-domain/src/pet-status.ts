/** Availability of an animal: the allowed values, exactly as they appear on the wire and in the database. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof PET_STATUSES)[number];

/** The status of an animal that was added without one. */
export const DEFAULT_PET_STATUS: PetStatus = 'available';

/** Whether `value` is one of the allowed values; case counts. */
export function isPetStatus(value: unknown): value is PetStatus {
  return (PET_STATUSES as readonly unknown[]).includes(value);
}
