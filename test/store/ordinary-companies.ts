import { composeIBAN, getCountrySpecifications, isValidIBAN } from 'ibantools';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import { SeededRandom } from '../../sandbox/core/seeded-random.ts';

/** Companies that pay suppliers and salaries each month, as ordinary ones do. The same seed makes the same rows. */

interface Language {
  country: string;
  firms: readonly string[];
  trades: readonly string[];
  forms: readonly string[];
  first: readonly string[];
  last: readonly string[];
  salary: (month: number) => string;
  invoice: readonly string[];
}

const words = (text: string): string[] => text.split(' ');

const LANGUAGES: readonly Language[] = [
  {
    country: 'DE',
    firms: words('Müller Meier Meyer Schmidt Weber Nordlicht Hanse Bäcker Krüger Stadtwerke Rhein Schäfer'),
    trades: words('Bau Elektro Logistik Druckerei Reinigung Werkzeuge Gebäudetechnik Energie Papier Verpackung'),
    forms: ['GmbH', 'GmbH & Co. KG', 'AG', 'e.K.'],
    first: words('Anna Jürgen Björn Katrin Lukas Sophie Jan Ute Emine Paul'),
    last: words('Schulz Köhler Weiß Vogel Yilmaz Neumann Lange Groß Beck Fuchs'),
    salary: (month) => `Gehalt ${String(month).padStart(2, '0')}/2026`,
    invoice: ['RE-2026-', 'Rechnung ', 'Rg.-Nr. '],
  },
  {
    country: 'GB',
    firms: words('Ashford Northgate Bramley Thames Whitaker Oakwood Harlow Pennine Clifton Sterling'),
    trades: words('Plumbing Catering Facilities Printing Logistics Electrical Consulting Cleaning Packaging Security'),
    forms: ['Ltd', 'Limited', 'plc', 'LLP'],
    first: words('Oliver Amelia Harry Isla George Ava Noah Priya Leo Grace'),
    last: words('Smith Patel Jones Taylor Hughes Okafor Wright Green Hall Evans'),
    salary: (month) => `Salary ${month}/2026`,
    invoice: ['INV-', 'Invoice no. ', 'SI'],
  },
  {
    country: 'FR',
    firms: words('Durand Lefèvre Moreau Atelier Provence Loire Garnier Fontaine Armor Vallée'),
    trades: words('Transports Imprimerie Nettoyage Bâtiment Électricité Conseil Emballages Traiteur Mobilier Énergie'),
    forms: ['SARL', 'SAS', 'SA'],
    first: words('Chloé Hugo Léa Jules Manon Théo Inès Gaël Zoé Rémi'),
    last: words('Martin Bernard Dubois Petit Lemaître Roux Blanc Gauthier Noël Faure'),
    salary: (month) => `Salaire ${String(month).padStart(2, '0')}/2026`,
    invoice: ['Facture ', 'FA-2026-', 'F'],
  },
  {
    country: 'ES',
    firms: words('García Hermanos Ibérica Levante Montero Aguilar Cantábrica Peñalver Suministros Sierra'),
    trades: words(
      'Construcciones Transportes Limpiezas Imprenta Instalaciones Alimentación Consultores Envases Seguridad Maderas',
    ),
    forms: ['S.L.', 'S.A.', 'S.L.U.'],
    first: words('Lucía Mateo Sofía Íñigo Carmen Pablo Nuria Álvaro Elena Diego'),
    last: words('López Núñez Ruiz Muñoz Vega Castaño Ortiz Serrano Gil Molina'),
    salary: (month) => `Nómina ${String(month).padStart(2, '0')}/2026`,
    invoice: ['Factura ', 'FRA/2026/', 'A-'],
  },
  {
    country: 'IT',
    firms: words('Rossi Adriatica Lombarda Bianchi Ferrari Toscana Conti Riviera Moretti Alpina'),
    trades: words(
      'Trasporti Costruzioni Pulizie Tipografia Impianti Forniture Consulenza Imballaggi Ristorazione Meccanica',
    ),
    forms: ['S.r.l.', 'S.p.A.', 'S.n.c.'],
    first: words('Giulia Matteo Chiara Niccolò Sara Andrea Elisa Davide Marta Luca'),
    last: words('Esposito Romano Colombo Ricci Greco Bruno Gallo Costa Fontana Leone'),
    salary: (month) => `Stipendio ${String(month).padStart(2, '0')}/2026`,
    invoice: ['Fattura ', 'FT 2026/', 'Fatt. n. '],
  },
  {
    country: 'PL',
    firms: words('Kowalski Bałtyk Wisła Nowak Śląsk Zieliński Mazowsze Wójcik Tatra Dąbrowski'),
    trades: words('Budownictwo Transport Drukarnia Instalacje Logistyka Opakowania Serwis Catering Ochrona Meble'),
    forms: ['sp. z o.o.', 'S.A.', 'sp.j.'],
    first: words('Zofia Jakub Małgorzata Łukasz Ewa Paweł Ola Michał Kasia Tomasz'),
    last: words('Wiśniewska Kamiński Lewandowska Król Pawlak Sikora Żak Mróz Duda Baran'),
    salary: (month) => `Wynagrodzenie ${String(month).padStart(2, '0')}/2026`,
    invoice: ['Faktura ', 'FV/2026/', 'FS '],
  },
];

/** How a payee is paid: the same each month, by use, by project; and by what its payments are called. */
type Amounts = 'fixed' | 'by_use' | 'by_project' | 'salary';

interface Payee {
  language: Language;
  cells: Record<string, string>;
  amounts: Amounts;
  base: number;
  currency: string;
  /** The number of its last invoice, with any account. */
  invoices: { last: number };
  /** What stands in the reference of each payment instead. */
  contract: string | null;
  prefix: string;
  isPaid: boolean;
}

export class OrdinaryCompany {
  readonly #random: SeededRandom;
  readonly #payees: Payee[] = [];
  readonly #names = new Set<string>();

  constructor(seed: string, { suppliers, employees }: { suppliers: number; employees: number }) {
    this.#random = new SeededRandom(seed);
    for (let n = 0; n < suppliers; n += 1) this.#addSupplier();
    for (let n = 0; n < employees; n += 1) this.#addEmployee();
  }

  /** It begins to pay a new supplier. */
  nextMonth(): void {
    this.#addSupplier();
  }

  suppliersOf(month: number): RawRow[] {
    return this.#rows(month, ({ amounts }) => amounts !== 'salary');
  }

  salariesOf(month: number): RawRow[] {
    return this.#rows(month, ({ amounts }) => amounts === 'salary');
  }

  #rows(month: number, isPaid: (payee: Payee) => boolean): RawRow[] {
    const rows = this.#payees.filter(isPaid).flatMap((payee) => {
      // All accounts of a supplier are known from its first month on: another one would be an alarm, and rightly.
      const times = payee.amounts !== 'by_project' ? 1 : payee.isPaid ? this.#below(4) : 1;
      payee.isPaid = true;
      return Array.from({ length: times }, () => this.#cellsOf(payee, month));
    });
    return rows.map((cells, index) => ({
      line: index + 2,
      cells: { row_ref: `${month}-${cells['purpose_of_transfer']}-${index + 1}`, ...cells },
      original: [],
      unread: [],
    }));
  }

  #cellsOf(payee: Payee, month: number): Record<string, string> {
    payee.invoices.last += 1 + this.#below(40);
    const reference =
      payee.amounts === 'salary'
        ? payee.language.salary(month)
        : (payee.contract ?? `${payee.prefix}${payee.invoices.last}`);
    return { ...payee.cells, amount: this.#amountOf(payee).toFixed(2), payment_reference: reference };
  }

  #amountOf({ amounts, base }: Payee): number {
    if (amounts === 'by_use') return base * (0.75 + this.#random.fraction() / 2);
    if (amounts === 'by_project') return base * Math.exp((this.#random.fraction() + this.#random.fraction() - 1) * 0.8);
    // Overtime, of some.
    return amounts === 'salary' && this.#below(8) === 0 ? base * 1.08 : base;
  }

  #addSupplier(): void {
    const language = this.#one(LANGUAGES);
    const firm = this.#newName(() => `${this.#one(language.firms)} ${this.#one(language.trades)}`);
    const name = `${firm} ${this.#one(language.forms)}`;
    const kind = this.#below(20);
    const amounts: Amounts = kind < 8 ? 'fixed' : kind < 16 ? 'by_use' : 'by_project';
    const of = {
      ...{ language, amounts, invoices: { last: 100 + this.#below(90_000) }, prefix: this.#one(language.invoice) },
      base: 80 * Math.exp(this.#random.fraction() * 5),
      contract: amounts === 'fixed' && this.#below(4) === 0 ? `Nr. ${10_000 + this.#below(90_000)}` : null,
    } as const;
    const company = { beneficiary_entity_type: 'company', beneficiary_company_name: name, purpose_of_transfer: 'SUPP' };
    const accounts = this.#below(12) === 0 ? ['EUR', 'USD'] : ['EUR'];
    for (const currency of accounts) this.#payees.push(this.#payee(name, company, { ...of, currency }));
  }

  #addEmployee(): void {
    const language = this.#one(LANGUAGES);
    const [first, last] = [this.#one(language.first), this.#one(language.last)];
    const name = this.#newName(() => `${first} ${this.#below(3) === 0 ? `${this.#one(language.last)}-` : ''}${last}`);
    const person = {
      ...{ beneficiary_entity_type: 'individual', beneficiary_first_name: first, purpose_of_transfer: 'PAYR' },
      beneficiary_last_name: name.slice(first.length + 1),
    };
    const base = Math.round(1_800 + this.#random.fraction() * 3_000);
    const of = {
      language,
      amounts: 'salary',
      invoices: { last: 0 },
      prefix: '',
      contract: null,
      base,
      currency: 'EUR',
    } as const;
    const payee = this.#payee(name, person, of);
    // A couple shares an account.
    const partner = this.#payees.findLast(({ amounts }) => amounts === 'salary');
    if (partner !== undefined && this.#below(100) === 0) {
      payee.cells = { ...partner.cells, ...person, bank_account_holder_name: name };
    }
    this.#payees.push(payee);
  }

  #payee(name: string, who: Record<string, string>, of: Omit<Payee, 'cells' | 'isPaid'>): Payee {
    const { country } = of.language;
    const cells = {
      ...{ amount_side: 'buy', sell_currency: 'SGD', buy_currency: of.currency, ...who, beneficiary_country: country },
      ...{ funding_source: 'COMPANY_BANK_ACCOUNT', funding_method: 'PAYNOW', bank_country: country, bank_name: 'Bank' },
      ...{ bank_account_holder_name: name, bank_iban: this.#iban(country) },
    };
    return { ...of, cells, isPaid: false };
  }

  /** Also by the check digits within the account that the country has. */
  #iban(country: string): string {
    const pattern = getCountrySpecifications()[country]?.bban_regexp ?? '';
    for (;;) {
      const bban = pattern
        .replaceAll(/[\^$]/g, '')
        .replaceAll(/\[([^\]]+)\]\{(\d+)\}/g, (_, letters: string, count: string) =>
          Array.from({ length: Number(count) }, () =>
            letters === 'A-Z' ? this.#one(words('A B C D E')) : String(this.#below(10)),
          ).join(''),
        );
      const iban = composeIBAN({ countryCode: country, bban });
      if (iban !== null && isValidIBAN(iban)) return iban;
    }
  }

  #newName(make: () => string): string {
    for (;;) {
      const name = make();
      if (this.#names.has(name)) continue;
      this.#names.add(name);
      return name;
    }
  }

  #one<T>(of: readonly T[]): T {
    return of[this.#below(of.length)] as T;
  }

  #below(limit: number): number {
    return this.#random.between(0, limit - 1);
  }
}
