"""Names that people play under, two friendly words and never their own; and the words of
rejoin phrases. How the words were chosen: docs/decisions/0010-names.md."""

from __future__ import annotations

import unicodedata
from random import Random

from xactika_site.classrooms import french_names

ADJECTIVES = """
    Able Accurate Active Adept Agile Agreeable Alert Alpine Ambitious Amiable Amused
    Animated Aquatic Arctic Astute Attentive Aware Awesome Calm Candid Capable Careful
    Caring Chirpy Civil Clear Climbing Coastal Comfy Composed Concise Confident Curious
    Cycling Dancing Dauntless Decisive Dedicated Definite Delighted Devoted Digital Diligent
    Direct Drawing Dutiful Eager Early Earnest Efficient Elated Electric Eloquent Enchanted
    Endless Enduring Energetic Epic Eventful Exact Excellent Expert Exploring Famous Faraway
    Fearless Festive Floral Fluent Flying Focused Forgiving Friendly Frosty Galactic Gallant
    Galloping Generous Gentle Genuine Gleeful Gliding Global Glorious Good Gracious Grateful
    Great Happy Harmonic Hearty Helpful Heroic Hiking Honest Hopeful Hovering Humorous
    Hushed Iconic Ideal Inspired Intrepid Inventive Jaunty Jazzy Jovial Joyful Jubilant
    Juggling Jumping Keen Kind Laughing Leaping Legendary Limitless Listening Lively Logical
    Loyal Luminous Lunar Lyrical Natural Nautical Neat Nifty Nimble Noble Notable Novel
    Observant Oceanic Onward Optimal Orbital Orderly Original Outdoor Outgoing Painting
    Patient Peaceful Perfect Playful Pleased Poetic Poised Polite Powerful Practical Precise
    Prepared Prime Promising Prompt Proven Punctual Questing Quiet Rapid Reading Relaxed
    Reliable Resilient Resolute Respected Restful Rising Rowing Safe Scenic Secure Selfless
    Sensible Settled Sincere Singing Skating Skipping Smiling Soaring Sociable Solar Solid
    Sonic Splendid Sprinting Steady Stellar Sublime Sunlit Sunny Superb Surfing Swift
    Tactful Talented Thriving Tidy Timely Tireless Tolerant Touring Tranquil Treasured
    Trekking Tropical True Tuneful Unfailing Unhurried Unruffled Upbeat Uplifting Upright
    Useful Valiant Valued Varied Vibrant Vigilant Vivid Wandering Watchful Waving Welcome
    Whirling Whistling Wholesome Wintry Wise Wishful Wonderful Woodland Worthy
""".split()
NOUNS = """
    Badger Bakery Banner Beacon Beehive Beetle Berry Bicycle Birdsong Blossom Bluebird
    Boardwalk Bobcat Bramble Breeze Bubble Bugle Cabin Cactus Camera Canary Candle Canoe
    Canvas Canyon Capybara Caribou Carnival Cascade Castle Cedar Cello Chime Chipmunk
    Clarinet Cloud Clover Comet Cosmos Daffodil Dandelion Daybreak Daylight Delta Dewdrop
    Dolphin Doorbell Dormouse Dove Dragon Dune Dynamo Eagle Easel Echo Elk Ember Emu Engine
    Envelope Equator Estuary Fable Falcon Fanfare Feather Fern Festival Finch Firefly
    Firework Flamingo Flurry Fountain Fox Fresco Frost Gadget Galaxy Galleon Garland Gazebo
    Gazelle Glacier Glade Glider Glimmer Globe Goldfinch Gondola Granite Guitar Ibex Iceberg
    Inlet Island Kangaroo Kayak Koala Ladder Lake Landmark Lantern Leaf Lemonade Lemur
    Leopard Library Lion Lullaby Macaw Magnet Magnolia Mallard Mandolin Mantis Maple Maraca
    Marathon Marigold Marimba Marlin Marmot Meadow Meridian Meteor Milestone Mint Monsoon
    Monument Moonbeam Mosaic Moth Mulberry Museum Nebula Nectar Nest Oak Oasis Oatmeal Ocean
    Ocelot Octopus Okapi Orbit Orchard Origami Oriole Osprey Otter Outpost Owl Panda Paprika
    Parade Parakeet Parasol Parcel Parrot Parsley Pathway Pavilion Pebble Pelican Penguin
    Pepper Piano Pinwheel Planet Platypus Plaza Pollen Polygon Pond Poplar Possum Primrose
    Puffin Pulsar Puzzle Pyramid Quest Quilt Quokka Radio Railway Raindrop Ravine Reindeer
    Relay Ribbon Ridge Riverbank Rowboat Runway Teacup Teapot Telescope Tempo Terrace Tiger
    Timber Topaz Toucan Tractor Trail Treehouse Treetop Triangle Tuba Tulip Tundra Turbine
    Turtle Valley Velvet Viewpoint Violin Vista Volcano Vortex Voyage Wallaby Waltz Warbler
    Wheel Whirlwind Whistle Wildcat Wildlife Windmill Window Winter Woodwind Yarn
""".split()


def plain(text: str) -> str:
    """A name or a phrase as whoever types in a hurry writes it: small letters, no accents."""
    letters = unicodedata.normalize("NFD", text.lower().replace("œ", "oe"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _english(adjective: str, noun: str) -> str:
    return f"{adjective} {noun}"


def names_of(language: str) -> str:
    """The language, of those that have lists of words here, whose words are taken for it."""
    return language if language in PHRASES else "en"


def two_word_names(rng: Random, how_many: int, language: str = "en") -> list[str]:
    """So many different names, no word used twice among them (236 at most)."""
    firsts, seconds, together = NAMES[names_of(language)]
    chosen = zip(rng.sample(firsts, how_many), rng.sample(seconds, how_many), strict=True)
    return [together(first, second) for first, second in chosen]


def two_word_name(rng: Random, language: str = "en") -> str:
    """One of all names, in English 237 × 236 = 55,932, each of at most 20 characters."""
    firsts, seconds, together = NAMES[names_of(language)]
    return together(rng.choice(firsts), rng.choice(seconds))


NAMES = {
    "en": (ADJECTIVES, NOUNS, _english),
    "fr": (french_names.ADJECTIVES, french_names.NOUNS, french_names.together),
}
"""By language adjectives and nouns, and how a name is made of two."""


PHRASE_WORDS = """
    abacus absolute academy accent accurate achieve acorn acrobat actor aerial airport alarm
    album alcove alert almond alphabet alpine amaze amiable anchor ancient animal announce
    annual anorak answer antenna april apron aquatic arcade arch arctic arena armchair
    around arrange arrive aside asphalt asteroid astute auction audio august author award
    backpack badge bagel bakery balance balcony banjo barley barn barrel basil basket baton
    battery bazaar beam beehive beetle begin behind believe belong bench benefit beyond
    biology birch birdsong birthday blanket blazer blend blink blossom bobbin bobcat bolt
    bonfire bonsai bonus book boost boots boss botany bounce bowl bracket bramble branch
    brave breeze brick brief bright brim bring broad broccoli broom brush bubble bucket
    buffet bugle builder bulb bundle burger burrow burst bus business butter buzz cabin
    cactus calcium calendar calm canoe canteen canyon capable capital capsule captain career
    cargo caribou carnival carpet carton cascade cashier castle casual caution cedar cement
    central chain champion chapter charm checkers cheddar cheer chef chess children chimney
    chipmunk chirp choice choose chorus chuckle cinema circle citrus city civic clang
    clarity clatter clay clear click client cliff climb clinic clip cloak cloth cloud clown
    coach coat cobalt cobbler cobweb code collar column comb comfy comma compare concert
    confirm control cookie copy coral cornet correct court cousin cradle craft crater crayon
    cricket crocus crowd crumb crunch curious current curtain curve cycle cylinder daisy
    dance dapple dash data day daybreak daylight dazzle debate decade december decimal
    decoder defend definite degree delight delta denim dentist depth describe design desk
    detail device dewdrop diagram dial digit dignity diligent dinosaur diploma direct disco
    display distance divide doctor dolphin donate door dormouse dot double dove dozen dragon
    drama drawer dream drift drive drizzle drop drum dumpling dune dungeon during duty
    dynasty eager eagle earphone earring earth easel eclipse ecology editor educate effort
    egg elastic electric element eleven elk eloquent ember embrace empty emu enable enamel
    enchant energy engine enjoy enter entire entry episode equal equip essay estimate event
    everyone evidence fable fabric fact falafel family famous fancy fanfare faraway farm
    fashion feast fence festive fetch fiction field fiesta figure film filter final finch
    finish fireside first five flag flamingo flint float flock floor floral floss flowing
    fluent flurry flute foam focus fold follow footstep forest fork forty forum forward
    fossil fourteen fox fraction freezer freight fresh friday friend fringe frost frozen
    fuel fun funnel future gadget galaxy gallon garage garden garlic garment gather gazelle
    gear gecko gem generous gentle genuine giggle giraffe glacier glade glimpse glitter
    glorious glove glow glue goldfish golf gondola good gracious gradual grain granite graph
    gravy grid grill guide hallway hammock hamster handle happy harmony harp harvest
    haystack hazel headline heart heather hedge herald hexagon highway history hockey
    holiday holly horizon hotel house humorous hundred hurdle ibex iceberg icicle iconic
    image include index indigo indoor infinity inform inlet insect inside inspire instead
    internet intrepid invent invite jamboree jar jasmine jaunty jazzy jeans jelly jigsaw
    jingle jog join joke jotter journal jovial jubilant judge juggler juice july justice
    kangaroo kayak keen keepsake ketchup kettle keyboard kind kiosk kitchen kite koala label
    ladder ladle ladybird lake laptop laugh lawn layer leading leaf leapfrog learn lecture
    legend lemonade lemur lens lentil leopard letter level light likely lilac lily linen
    lion liquid list lobby local locker lodge logic loop lounge lullaby luminous lunar lunch
    macaw machine magazine magenta magic magnet mailbox mallard manager mandolin mantis map
    maple marble marina marker marlin marmot marsh mascot matrix maypole meadow meal measure
    meerkat meeting memory message meteor microbe mill mineral minibus mint minute mirror
    mitten mixer model module moment monday monitor monsoon month monument moon mosaic motto
    mountain movie mulberry multiply museum music mystery nail napkin narrow nature nautical
    nearby neat nebula neptune neutral nifty nimble ninety normal north novel nozzle number
    nurture oak oasis oatmeal oats oblong observe obstacle obvious oceanic ocelot octave
    october office omit orbital orchard oregano origin oriole osprey ostrich outdoor outlook
    outpost outside oval oxygen page palette panel panorama pantry parade parcel parrot
    parsley patch pathway patio pattern pavement pavilion pearl pebble pencil pendulum
    penguin pentagon perfect petrol phone photo piano pigeon pinwheel pioneer pivot pixel
    pizza place planet plaster plaza plenty plug plywood poet pogo polite pollen polygon
    pompom popcorn poplar porridge portrait possum poster pottery precise prefer present
    pretend primrose print prism prize product project prompt proof proton proven publish
    puddle puffin pulley pulsar pumpkin punctual puppet purpose puzzle pyramid quarter quest
    quilt quiz quote radar radio railway rainbow rally ramp range rattle ravine recess
    record recycle referee reflect refresh region regular reindeer relax reliable remain
    remember remote repeat reply report rescue research resolute respond result return
    reveal reward rewind ribbon riddle ridge rinse robin robot rocket roller rotate rotor
    rowboat rucksack rudder rug ruler rumble runway rustle saddle safari safe saffron saga
    salad salon sample sandal sapling satchel saturn saucer scarf scenic scoop scout screen
    shadow share shawl shelf shield shining shoelace shop shovel shutter sidewalk signal
    silence silk sincere singer sixty sizzle sketch skip sky skylight slate sled sleet slide
    smile snooze snorkel soccer sociable sock software soil solar solid solve song sonic
    sonnet sorbet soup south spark speaker spectrum speech sphere spinach spiral splash
    splendid sponge sport spotless spray sprout spruce squash squeak squiggle stadium stage
    stamp staple statue stellar stencil step stereo stove straw stream string stroll studio
    stumble style subject subway success sugar suggest suitcase summit sundial sunlit sunny
    sunrise sunset superb supply surface surprise survey swap sweater swift swing swish
    switch system talent tango tapestry target taxi teach teapot tennis tent terrace texture
    thanks thaw theory thermal thimble thirty thread thunder thursday ticket tidal tiger
    tile timber tinker tinsel tiptoe tissue toast today token tolerant tomato tomorrow
    toolbox topaz torch tornado tortoise total tour tower town toy track trail tranquil
    travel tray trek trellis trend triangle tribute trolley trophy true trunk tube tuesday
    tulip tuna turbine turtle twelve twenty twig twirl twist upbeat update upgrade uphill
    upload upright upstairs upward vacation valiant valve vanish vase vault velvet vendor
    venture verb verse vessel vibrant video view vigilant vinegar viola visit vista visual
    vivid voice volcano volley vortex vowel voyage wafer waffle wagon waiter wall wand
    warbler wardrobe warmth washer wave website weekend west wheel whirl whistle widget
    width wildcat willow winter wire wisdom wobble wonder wooden wool workshop world worthy
    wren zenith zone zoology zoom
""".split()
"""What rejoin phrases are made of: 1,050 words of 3 to 8 letters, each told by its first four.

Three of them in a row make 30 bits. Phrases are derived from this list and stored nowhere: to
add, drop or move a single word is to change everybody's phrase.
"""

PHRASES = {"en": PHRASE_WORDS, "fr": french_names.PHRASE_WORDS}
"""The words of phrases by language. A student keeps the list that they began with."""
