import { crc32 } from 'node:zlib';

const BYTES = 1024 ** 2 - 1024;
const PET = Buffer.from('{"name":"Rex","categoryId":7}');

/**
 * The bits of an empty block with Huffman codes of its own (RFC 1951, section 3.2.7): a decoder builds tables for it, and
 * gets no byte out of it. It codes only two symbols, 0 and the end of the block, with one bit each.
 */
function emptyBlock(): string {
  const number = (value: number, bits: number) => Array.from(value.toString(2).padStart(bits, '0')).reverse().join('');
  // Only the code lengths 1 and "18" (many zeros) occur, with a code of one bit each. Their places in the list are 17 and 2.
  const codeLengths = Array.from({ length: 18 }, (_, place) => number(place === 17 || place === 2 ? 1 : 0, 3)).join('');
  const one = '0';
  const zeros = (count: number) => `1${number(count - 11, 7)}`;
  const lengths = one + zeros(138) + zeros(117) + one + one;
  const end = '1';
  return `0${number(2, 2)}${number(0, 5)}${number(0, 5)}${number(14, 4)}${codeLengths}${lengths}${end}`;
}

/** A body of nearly 1 MiB of such blocks, in gzip, that takes long to inflate to one pet of a few bytes. */
export function slowToInflate(): Buffer {
  // Eight blocks end where a byte ends.
  const bits = emptyBlock().repeat(8);
  const bytes = Buffer.from(
    Array.from({ length: bits.length / 8 }, (_, index) =>
      Number.parseInt(
        Array.from(bits.slice(8 * index, 8 * index + 8))
          .reverse()
          .join(''),
        2,
      ),
    ),
  );
  const blocks = Buffer.alloc(Math.floor(BYTES / bytes.length) * bytes.length, bytes);
  const stored = Buffer.alloc(5);
  stored.writeUInt8(1, 0);
  stored.writeUInt16LE(PET.length, 1);
  stored.writeUInt16LE(0xffff - PET.length, 3);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(PET), 0);
  trailer.writeUInt32LE(PET.length, 4);
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
  return Buffer.concat([header, blocks, stored, PET, trailer]);
}
