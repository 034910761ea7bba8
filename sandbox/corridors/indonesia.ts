/** Indonesian cities and regions as the beneficiary calls take them. Contract: payments 2.1. */
export const indonesianCities: readonly string[] = [
  'Ambon', 'Balikpapan', 'Banda Aceh', 'Bandar Lampung', 'Bandung', 'Banjarmasin', 'Batam', 'Bekasi', 'Bengkulu',
  'Bogor', 'Cimahi', 'Cirebon', 'Denpasar', 'Depok', 'Jakarta', 'Jakarta Barat', 'Jakarta Pusat', 'Jakarta Selatan',
  'Jakarta Timur', 'Jakarta Utara', 'Jambi', 'Jayapura', 'Kendari', 'Kupang', 'Makassar', 'Malang', 'Manado', 'Mataram',
  'Medan', 'Padang', 'Palangka Raya', 'Palembang', 'Palu', 'Pekanbaru', 'Pontianak', 'Samarinda', 'Semarang', 'Serang',
  'Sukabumi', 'Surabaya', 'Surakarta', 'Tangerang', 'Tangerang Selatan', 'Tasikmalaya', 'Ternate', 'Yogyakarta',
];

export const indonesianRegions: readonly string[] = [
  'Aceh', 'Bali', 'Banten', 'Bengkulu', 'DI Yogyakarta', 'DKI Jakarta', 'Gorontalo', 'Jambi', 'Jawa Barat',
  'Jawa Tengah', 'Jawa Timur', 'Kalimantan Barat', 'Kalimantan Selatan', 'Kalimantan Tengah', 'Kalimantan Timur',
  'Kalimantan Utara', 'Kepulauan Bangka Belitung', 'Kepulauan Riau', 'Lampung', 'Maluku', 'Maluku Utara',
  'Nusa Tenggara Barat', 'Nusa Tenggara Timur', 'Papua', 'Papua Barat', 'Papua Barat Daya', 'Papua Pegunungan',
  'Papua Selatan', 'Papua Tengah', 'Riau', 'Sulawesi Barat', 'Sulawesi Selatan', 'Sulawesi Tengah',
  'Sulawesi Tenggara', 'Sulawesi Utara', 'Sumatera Barat', 'Sumatera Selatan', 'Sumatera Utara',
];
