/** The metadata key of {@link ReportedLast}. */
export const REPORTED_LAST = 'animal-store:reported-last';

/** The field depends on the fields of the subclasses. Its violations are reported after theirs. */
export function ReportedLast(): PropertyDecorator {
  return Reflect.metadata(REPORTED_LAST, true);
}
