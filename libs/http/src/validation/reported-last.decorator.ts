/** Marks a field that is told behind those of the classes that inherit it. */
export const REPORTED_LAST = 'animal-store:told-last';

/** The field depends on those of the classes that inherit it, and is told behind them. */
export function ReportedLast(): PropertyDecorator {
  return Reflect.metadata(REPORTED_LAST, true);
}
