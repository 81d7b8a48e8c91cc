/** A map that removes its oldest entry when a new one would exceed `maxSize`. An entry that is set again keeps its age. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly maxSize: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    const [oldest] = this.size >= this.maxSize && !this.has(key) ? this.keys() : [];
    if (oldest !== undefined) this.delete(oldest);
    return super.set(key, value);
  }
}
