import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import type { Candidate, Fit, NamedSamples } from './candidate.ts';
import { withoutCurrencyMarks } from './currency-marks.ts';
import { foldHeader } from './header-meanings.ts';
import { meaningOf } from './names-of-codes.ts';
import { isPayroll } from './payroll-headers.ts';
import type { ColumnSource } from './profile.ts';
import { NOTHING } from './proposed-source.ts';

/** What fills a column that no header is called after: known constants, and what other columns say. */
export function derivedCandidates(column: PaymentColumn, fits: Fits, samples: NamedSamples): Candidate[] {
  const { names, constants, lastSellCurrency = null } = samples;
  const found: Candidate[] = [];
  const known = constants[column];
  if (known !== undefined && column !== 'row_ref') {
    found.push({
      source: { ...NOTHING, constant: known },
      why: 'known',
      isSure: true,
      reason: 'as in the last approved run of the account',
    });
  }
  const others =
    column === 'sell_currency' && lastSellCurrency !== null
      ? sellCurrencies(fits, lastSellCurrency)
      : derived(column, fits, names);
  for (const { source, reason, why } of others) {
    const isThere = source.constant !== null && found.some((other) => other.source.constant === source.constant);
    if (!isThere) found.push({ source, why, isSure: false, reason });
  }
  return found;
}

type Fits = ReadonlyMap<PaymentColumn, readonly Fit[]>;

type Derived = Pick<Candidate, 'source' | 'reason' | 'why'>;

function derived(column: PaymentColumn, fits: Fits, names: readonly string[]): Derived[] {
  const best = (other: PaymentColumn) => [...(fits.get(other) ?? [])].sort((a, b) => b.points - a.points)[0];
  const first = best('beneficiary_first_name');
  const last = best('beneficiary_last_name');
  const company = best('beneficiary_company_name');
  const constant = (text: string, reason: string): Derived[] => [
    { source: { ...NOTHING, constant: text }, reason, why: 'header' },
  ];
  const ofPeople = isPayroll(names);
  switch (column) {
    case 'amount_side':
      return amountSides(fits);
    case 'purpose_of_transfer':
      return [
        ...(ofPeople ? constant('PAYR', 'its headers are those of a payroll') : []),
        ...(!ofPeople && isFilled(company) ? constant('SUPP', `"${company.header}" names companies`) : []),
      ];
    case 'funding_source':
      return fits.has('amount') ? constant('COMPANY_BANK_ACCOUNT', 'companies pay from their bank account') : [];
    case 'bank_country':
    case 'beneficiary_country':
      return countriesOfAccounts(fits).map((each) => ({
        ...each,
        reason: `${each.reason}${column === 'bank_country' ? '' : ', where most have their account'}`,
      }));
    case 'buy_currency':
      // Each of two amounts may be chosen, and has a currency of its own.
      return (fits.get('amount') ?? []).flatMap(currencyBesideAmounts);
    case 'bank_account_holder_name':
      if (first === undefined || last === undefined) return [];
      return [{ source: joined(first, last), reason: `it is "${first.header}" and "${last.header}"`, why: 'header' }];
    case 'beneficiary_first_name':
    case 'beneficiary_last_name':
      return [
        ...namesAroundComma(column, best('bank_account_holder_name')),
        ...(ofPeople ? namesAroundBlank(column, best('bank_account_holder_name')) : []),
      ];
    case 'beneficiary_entity_type':
      return [
        ...(isFilled(company) ? constant('company', `"${company.header}" names companies`) : []),
        ...(isFilled(first) && isFilled(last) ? constant('individual', 'the sheet has first and last names') : []),
        ...(ofPeople && !isFilled(first) && !isFilled(company)
          ? constant('individual', 'its headers are those of a payroll')
          : []),
      ];
    default:
      return [];
  }
}

function isFilled(fit: Fit | undefined): fit is Fit {
  return fit !== undefined && fit.cells.length > 0;
}

/** Codes that only banks of one country have. */
const NATIONAL_CODES = {
  bank_sort_code: 'GB',
  bank_aba: 'US',
  bank_bsb_code: 'AU',
  bank_ifsc_code: 'IN',
  bank_clabe: 'MX',
  bank_cnaps: 'CN',
} as const;

function countriesOfAccounts(fits: Fits): Derived[] {
  const ofIbans = (fits.get('bank_iban') ?? []).map(
    ({ header }): Derived => ({
      source: { ...NOTHING, from: [header], part: 'iban_country' },
      reason: `it is the country of the IBAN in "${header}"`,
      why: 'contents',
    }),
  );
  const ofCodes = Object.entries(NATIONAL_CODES).flatMap(([column, country]) =>
    (fits.get(column as PaymentColumn) ?? []).map(
      ({ header }): Derived => ({
        source: { ...NOTHING, constant: country },
        reason: `"${header}" is a code of banks in ${country}`,
        why: 'header',
      }),
    ),
  );
  return [...ofIbans, ...ofCodes];
}

function joined(first: Fit, last: Fit): ColumnSource {
  return { ...NOTHING, from: [first.header, last.header] };
}

function namesAroundComma(column: PaymentColumn, holder: Fit | undefined): Derived[] {
  if (holder === undefined || holder.cells.length === 0) return [];
  if (!holder.cells.every((cell) => /^[^,]+,[^,]+$/.test(cell))) return [];
  const part = column === 'beneficiary_last_name' ? 'before_comma' : 'after_comma';
  return [
    {
      source: { ...NOTHING, from: [holder.header], part },
      reason: `"${holder.header}" has names as "Last, First"`,
      why: 'contents',
    },
  ];
}

/** Where most write a last name: in the three rows that are shown, a person sees whether it is one. */
function namesAroundBlank(column: PaymentColumn, holder: Fit | undefined): Derived[] {
  if (holder === undefined || holder.cells.length === 0) return [];
  if (!holder.cells.every((cell) => /^[^\s,]+(?:\s+[^\s,]+)+$/u.test(cell))) return [];
  const part = column === 'beneficiary_last_name' ? 'after_last_blank' : 'before_last_blank';
  const reason = `"${holder.header}" has full names: the last word would be the last name`;
  return [{ source: { ...NOTHING, from: [holder.header], part }, reason, why: 'contents' }];
}

/** What an invoice or a salary says, its beneficiary gets. Beside the currency that pays, it may be either. */
function amountSides(fits: Fits): Derived[] {
  const ofCurrency =
    fits.has('buy_currency') || (fits.get('amount') ?? []).some((fit) => currencyBesideAmounts(fit).length > 0);
  if (!ofCurrency) return [];
  const side = (constant: string, reason: string): Derived => ({
    source: { ...NOTHING, constant },
    reason,
    why: 'header',
  });
  const buy = side('buy', 'the amount of an invoice or a salary is what the beneficiary gets');
  // guard: amount-side-not-guessed
  if (fits.has('sell_currency')) return [buy, side('sell', 'the sheet says which currency is paid from')];
  return [buy];
}

/** What the account paid from the last time; where the amounts have another currency, that one too: a person decides which. */
function sellCurrencies(fits: Fits, last: string): Derived[] {
  const asLast: Derived = {
    source: { ...NOTHING, constant: last },
    reason: 'as in the last approved run of the account',
    why: 'known',
  };
  const ofAmounts = currenciesOfAmounts(fits);
  // guard: sell-currency-not-guessed
  if (ofAmounts.length !== 1 || ofAmounts[0] === last) return [asLast];
  const reason = 'it is the currency of the amounts, so that nothing is converted';
  return [{ source: { ...NOTHING, constant: ofAmounts[0] ?? null }, reason, why: 'contents' }, asLast];
}

function currenciesOfAmounts(fits: Fits): string[] {
  const cells = (fits.get('buy_currency') ?? []).flatMap((fit) => fit.cells);
  const codes = cells.map((cell) => meaningOf('buy_currency', cell.trim()) ?? cell.trim());
  const beside = (fits.get('amount') ?? []).flatMap(currencyBesideAmounts).map(({ source }) => source.constant ?? '');
  return [...new Set(codes.length > 0 ? codes : beside)];
}

/** "Betrag EUR", "Amount (GBP)", and cells that all have one sign or code. */
function currencyBesideAmounts(amount: Fit): Derived[] {
  const words = [...amount.header.split(/[^\p{L}\p{Sc}]+/u), ...foldHeader(amount.header).split(' ')];
  const inHeader = new Set(
    words.flatMap(
      (word) =>
        CURRENCY_WORDS[word.toLowerCase()] ??
        (/^[A-Z]{3}$|^\p{Sc}$/u.test(word) ? (meaningOf('buy_currency', word) ?? []) : []),
    ),
  );
  const marks = amount.cells.map((cell) => withoutCurrencyMarks(cell).marks.join(' '));
  const inCells = new Set(marks.map((mark) => meaningOf('buy_currency', mark)));
  const [cellCode = null] = inCells;
  const byHeader = [...inHeader].map((code) => ({
    code,
    why: 'header' as const,
    reason: `"${amount.header}" says so`,
  }));
  const byCells = inCells.size === 1 && cellCode !== null && !inHeader.has(cellCode);
  return [
    ...byHeader,
    ...(byCells ? [{ code: cellCode, why: 'contents' as const, reason: 'it stands beside every amount' }] : []),
  ].map(({ code, why, reason }) => ({ source: { ...NOTHING, constant: code }, why, reason }));
}

const CURRENCY_WORDS: Readonly<Record<string, string>> = { pounds: 'GBP', euro: 'EUR', euros: 'EUR', dollars: 'USD' };
