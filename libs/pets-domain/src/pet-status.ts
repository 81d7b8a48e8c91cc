/** The statuses of a pet, exactly as the API and the database write them. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof PET_STATUSES)[number];

export const DEFAULT_PET_STATUS: PetStatus = 'available';

/** Every other change of a pet's status is refused. */
export const PET_TRANSITIONS = {
  reserve: { from: 'available', to: 'pending' },
  release: { from: 'pending', to: 'available' },
  sell: { from: 'pending', to: 'sold' },
} as const satisfies Record<string, { from: PetStatus; to: PetStatus }>;

export type PetTransition = keyof typeof PET_TRANSITIONS;
