/**
 * The memory limit of the process, in bytes; `undefined` if it is not lower than the memory of the machine.
 *
 * @param constrained `process.constrainedMemory()`: without a limit it is 0 or a very large number
 * @param total the memory of the machine, in bytes
 */
export function memoryLimit(constrained: number, total: number): number | undefined {
  return constrained > 0 && constrained < total ? constrained : undefined;
}
