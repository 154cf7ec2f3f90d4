import { createSeededRandom } from '../../../src/demo/seeded-random.ts';

const words = (text: string) => text.trim().split(/\s+/);

// Most frequent first, as in a large European city.
export const GIVEN = words(`
  Anna Maria Michael Thomas Julia Daniel Laura Andreas Sarah Christian Lisa Martin Katharina Stefan Sofia David Lena Peter Ana
  Mohammed Alexander Nina Paul Eva José Sebastian Marie Jan Elena Markus João Christina Ali Johannes Sara Tobias Nicole Ahmed
  Felix Hannah Florian Emma Philipp Mehmet Claudia Max Sandra Lukas Mia Jonas Marta Carlos Simon Olga Frank Luis Kim Robert
  Katarzyna Benjamin Fatima Marco Charlotte Antonio Inês Oliver Emily Mustafa Clara Patrick Irina Leon Isabel Moritz Beatriz
  Dmitri Ayşe Miguel Svenja James Pedro Natalia Tim Yasmin Nils Chiara Ivan Johanna Matthias Camille Karim Victoria Pierre
  Agnieszka William Zeynep Rui Anja Diego Melanie Omar Lucía Jakob Elif Henrik Giulia Tiago Aleksandra George Emine Ingrid Erik
  Leïla Hugo Sabine Ricardo Wei Amélie Piotr Rachel Lars Priya Nuno Franziska Ibrahim Mariana Jean Helena Samuel Theresa Emre
  Noah Birgit Oleksandr Sophie Jorge Monika Arthur Svetlana Hassan Chloé Bruno Magdalena Kevin Valentina Joseph Carla Sven
  Yuki Raquel Fabian Ewa Tomasz Alice Björn Gabriela Viktor Rosa Yusuf Nadia Christoph Teresa Sergei Lina Dominik Catarina
  Adrian Olivia Till Francesca Rafael Mónica Kai Ella Francisco Ingo Joana Klaus Alina Henry Rita Vincent Manuela Duarte Petra
  Ravi Astrid Giovanni Renate Finn Tatiana Gustavo Linda Kofi Barbara Matteo Deniz Holger Susanne Nikolai Silvia Aisha Anton
  Ursula Lorenzo Maja Chidi Vera Théo Amara Gonçalo Heike Arjun Margarida Sean Ruth Mateusz Sanna Elias Nora Afonso Zofia Idris
  Greta Jakub Bianca Kwame Freya Ole Mila Hiroshi Noor Gerhard Sinéad Ewan Jana Bogdan Ida Oluwaseun Thea Igor Ines Mathilde
  Radu Aylin Vasco Liv Andrej Wanda Rasmus Adaeze Milan Carmen Ngozi Tuan Mai Linh Wojciech Siobhán Emeka Jürgen Zoë Øyvind
  Åsa Łukasz Şebnem Çağla Özlem Đorđe Þóra Ørjan Ying Xin Jing Hao Min Jisoo Haruto Sakura Akira Sunil Deepa Anjali Rohan Meera
  Tariq Layla Samir Hana Farid Mina Reza Shirin Dariush Parisa Eliza Gwen Niamh Cormac Ffion Iain Aoife Ruairí Eilidh`);

const LISTED = words(`
  Müller Schmidt Schneider Fischer Silva Weber Santos Meyer Wagner Nguyen Becker Schulz Ferreira Hoffmann Pereira Koch Bauer
  Oliveira Richter Klein Wolf Costa Schröder Neumann Schwarz Zimmermann Rodrigues Braun Krüger Martins Hofmann Hartmann Jesus
  Lange Sousa Schmitt Werner Fernandes Krause Meier Gonçalves Lehmann Gomes Schmid Schulze Lopes Maier Köhler Marques Herrmann
  König Alves Walter Almeida Mayer Ribeiro Huber Pinto Kaiser Carvalho Fuchs Teixeira Peters Moreira Lang Correia Scholz Mendes
  Möller Nunes Weiß Soares Jung Vieira Hahn Monteiro Schubert Cardoso Vogel Rocha Friedrich Raposo Keller Neves Günther Coelho
  Frank Cruz Berger Cunha Winkler Pires Roth Ramos Beck Reis Lorenz Simões Baumann Antunes Franke Matos Albrecht Fonseca Schuster
  Machado Simon Araújo Ludwig Barbosa Böhm Tavares Winter Lourenço Kraus Castro Martin Figueiredo Schumacher Azevedo Krämer Yılmaz
  Kaya Demir Şahin Çelik Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt Özkan Şimşek Polat
  Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White Roberts Green Hall Wood
  Jackson Clarke Patel Khan Lewis James Phillips Singh Kumar Sharma Gupta Iyer Reddy Nair Rao Das Mehta Shah Wang Li Zhang Liu Chen
  Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Tanaka Suzuki Sato
  Takahashi Watanabe Ito Yamamoto Nakamura Kobayashi Kato Tran Pham Hoang Phan Vu Dang Bui Do Ngo Okafor Adeyemi Mensah Eze Diallo
  Traoré Okonkwo Boateng Owusu Asante Nkrumah Abiodun Balogun Chukwu Obi Haddad Rahimi Benali Mansour Khalil Nasser Saleh Farah
  Hosseini Ahmadi Karimi Cohen Levi Mizrahi Peretz Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo
  Conti Costa Giordano Mancini Rizzo Lombardi Moretti García Rodríguez Martínez Hernández López González Pérez Sánchez Ramírez Torres
  Flores Rivera Gómez Díaz Reyes Morales Ortiz Gutiérrez Chávez Ruiz Álvarez Fernández Jiménez Moreno Muñoz Romero Navarro Domínguez
  Dubois Durand Leroy Moreau Laurent Lefebvre Michel Bertrand Roux Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Muller
  Lefèvre Mercier Blanc Guérin Boyer Garnier Chevalier François Legrand Gauthier Perrin Robin Morin Nicolas Novák Svoboda Dvořák
  Černý Procházka Kučera Veselý Horák Němec Kovács Szabó Nagy Tóth Horváth Varga Kiss Molnár Papadopoulou Georgiou Nikolaidis
  Popescu Ionescu Popa Radu Dumitru Stan Stoica Gheorghe O’Connell O’Brien Murphy Kelly Byrne Ryan Walsh MacLeod MacDonald Campbell
  Stewart Fraser Murray Virtanen Korhonen Mäkinen Nieminen Hämäläinen Laine Heikkinen Jónsdóttir Ásgeirsson`);

const joined = (stems: string, endings: string) =>
  words(stems).flatMap((stem) => words(endings).map((ending) => stem + ending));

/** Names derived from places and first names: the long tail of names in a city. */
const COMPOSED = [
  ...joined(
    'Alt Neu Grün Rosen Linden Eichen Buch Stein Hirsch Wald Kirch Mühl Sand Wein Birken Ahren Hohen Kalten Schön Breiten Lichten Schwarzen Wester Oster',
    'berg feld mann bach hoff thal burg haus heim meier',
  ),
  ...joined(
    'Ash Brad Black Clay Den Far Green Hart Hol Lang Lin Mil Nor Red Sand Stan Thorn Wal West Whit',
    'ton ley field well wood ford worth by',
  ),
  ...joined(
    'Anders Peter Jens Hans Niels Lars Svend Karls Erik Olof Jon Gustav Magnus Mikkel Søren Knud Rasmus Thor',
    'sen son sson',
  ),
  ...joined(
    'Ivan Petr Smirn Kuznets Popov Vasil Sokol Mikhail Fedor Moroz Volk Aleks Lebed Koval Bondar Tkach Shevch Kravch Orl Zaits Pavl Sem Golub Vinograd Bogdan',
    'ov ova enko ev eva chuk in ina',
  ),
  ...joined(
    'Kowal Wiśniew Wójt Lewand Zieliń Szymań Woźniak Dąbrow Kozłow Jankow Mazur Krawczy Piotrow Grabow Nowakow Pawłow Michal Krajew',
    'ski ska czyk icz',
  ),
  ...joined(
    'Bell Cast Mart Ross Fer Bar Mor Pell Giann Zan Vand Corr Raff Benv Lorenz Paol',
    'ini etti elli one ucci oni',
  ),
  ...joined(
    'Hacı Kara Deli İmam Molla Usta Çoban Kadı Demirci Köse Topal Sarı Berber Müftü',
    'oğlu lar can er',
  ),
  ...joined('van de Ver Vander Van', 'berg meer veld bosch broek'),
];

export const FAMILY = [...new Set([...LISTED, ...COMPOSED])];

const HOSTS = words(
  'gmail.com gmail.com gmail.com gmx.de web.de outlook.com icloud.com posteo.de sapo.pt hotmail.com proton.me yahoo.com',
);

export interface Person {
  name: string;
  email: string;
}

const ascii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();

/** The usual local parts of email addresses. */
export const toEmailNames = (given: string, family: string): string[] => {
  const [first, last] = [ascii(given), ascii(family)];
  return [
    `${first}.${last}`,
    `${first}${last}`,
    `${first[0]}.${last}`,
    `${first}_${last}`,
    `${last}.${first}`,
    first,
  ];
};

/** Creates `size` people, the same in every run. Few names are frequent and many are rare. */
export function createPeople(size: number): Person[] {
  const random = createSeededRandom(20_260_318);
  const [given, family] = [skewed(GIVEN), skewed(FAMILY)];
  const used = new Set<string>();
  return Array.from({ length: size }, (_, n) => {
    const [first, last] = [random.pick(given), random.pick(family)];
    const second = random.chance(0.06) ? `-${random.pick(given)}` : '';
    const double = random.chance(0.05) ? `-${random.pick(family)}` : '';
    const preferred = `${random.pick(toEmailNames(first, last))}@${random.pick(HOSTS)}`;
    const email = used.has(preferred) ? preferred.replace('@', `${n}@`) : preferred;
    used.add(email);
    return { name: `${first}${second} ${last}${double}`, email };
  });
}

/** Repeats each name by its rank (Zipf's law with a flattened head). */
const skewed = (names: string[]) =>
  names.flatMap((name, rank) => Array.from({ length: Math.ceil(4_000 / (rank + 20)) }, () => name));
