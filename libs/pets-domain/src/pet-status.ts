/** The statuses of a pet, exactly as the API and the database write them. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof PET_STATUSES)[number];

/** The status of a pet that is added without a status. */
export const DEFAULT_PET_STATUS: PetStatus = 'available';

/** The allowed changes of a pet's status. Every other change is refused. */
export const PET_TRANSITIONS = {
  reserve: { from: 'available', to: 'pending' },
  release: { from: 'pending', to: 'available' },
  sell: { from: 'pending', to: 'sold' },
} as const satisfies Record<string, { from: PetStatus; to: PetStatus }>;

export type PetTransition = keyof typeof PET_TRANSITIONS;
