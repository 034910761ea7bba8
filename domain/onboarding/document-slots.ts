import { DOCUMENT_TYPES } from './choices.ts';

type KnownDocumentType = (typeof DOCUMENT_TYPES)[number];

/** A user has at most so many files of one type. */
const MAX_FILES_OF_A_TYPE = 20;

/**
 * The document type of a slot, which is the type itself or, for further files of the type, the type with a number from 2:
 * `passport`, `passport_2`. Null: it is no slot.
 */
export function documentTypeOfSlot(slot: string): KnownDocumentType | null {
  const [, name = '', number] = /^(.+?)(?:_([1-9]\d?))?$/.exec(slot) ?? [];
  const count = number === undefined ? 1 : Number(number);
  if (number === '1' || count > MAX_FILES_OF_A_TYPE) return null;
  return DOCUMENT_TYPES.find((type) => type === name) ?? null;
}
