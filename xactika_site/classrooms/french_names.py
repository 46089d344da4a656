"""The words of French names and rejoin phrases. How they were chosen:
docs/decisions/0010-names.md."""

from __future__ import annotations

MASCULINE = """
    Album Alpaga Aquarium Arbre Archipel Atelier Atlas Bastion Bateau Belvédère Blason
    Boulevard Bouquet Bouquetin Bourgeon Cadran Cahier Calmar Canoë Canyon Cargo Caribou
    Carnet Carrousel Castor Cèdre Cerisier Chalet Chamois Chariot Château Chemin Chêne
    Clairon Clavier Colibri Coquelicot Cosmos Cratère Crayon Dauphin Delta Dirigeable Donjon
    Dragon Écureuil Élan Érable Escalier Espadon Éventail Fanion Festival Feutre Fjord
    Fleuve Galet Galion Gecko Geyser Glacier Goéland Grenier Griffon Grillon Guépard
    Hérisson Héron Hippocampe Horizon Igloo Jaguar Jardin Kangourou Kayak Kiosque Koala
    Lagon Lampion Lémurien Léopard Lièvre Magnolia Manège Mélèze Monument Moulin Muguet
    Musée Ocelot Okapi Orchestre Origan Palmier Panda Papillon Paquebot Parasol Pélican
    Phénix Piano Pinson Planeur Pommier Potager Poulpe Puma Pupitre Radeau Refuge Renard
    Réverbère Rivage Rocher Roseau Rosier Rossignol Ruban Rubis Ruisseau Tambour Tandem
    Télescope Tilleul Torrent Tournesol Tracteur Train Traîneau Tremplin Trombone Vaisseau
    Vélo Village Vitrail Voilier Volcan Voyage Xylophone
""".split()
FEMININE = """
    Abeille Alouette Amphore Antenne Aquarelle Arcade Assiette Auberge Aventure Avenue
    Balançoire Barque Bergerie Bicyclette Bougie Boussole Branche Brise Brume Cabane
    Caravelle Cascade Cerisaie Chanson Chouette Cigale Cigogne Citadelle Clairière
    Coccinelle Colline Comète Crêpe Croisière Cymbale Devinette Dune Écharpe Échelle
    Éclaircie Écluse Enveloppe Éolienne Escalade Étincelle Fable Falaise Fanfare Fauvette
    Fenêtre Feuille Flamme Forêt Forge Formule Fougère Fourmi Framboise Fresque Galaxie
    Gaufre Goélette Gomme Gondole Grange Guirlande Guitare Harpe Hélice Hirondelle Horloge
    Jonquille Lagune Lanterne Lavande Légende Lentille Libellule Librairie Limonade
    Locomotive Loupe Lueur Luge Lumière Lunette Mandarine Mandoline Mangue Maquette Marée
    Marelle Marmite Marmotte Médaille Mésange Moisson Montagne Mosaïque Mouette Muraille
    Musique Odyssée Ombrelle Orchidée Palette Palmeraie Parade Parenthèse Passerelle Péniche
    Pergola Perle Pirogue Plage Planète Prairie Pyramide Racine Randonnée Récolte Rivière
    Roseraie Ruelle Tartine Terrasse Théière Topaze Tortue Toupie Tourelle Tribune Trompette
    Tulipe Turbine Vallée Vanille Véranda Virgule Volière Voyelle
""".split()
NOUNS = MASCULINE + FEMININE

ADJECTIVES = """
    Accompli/Accomplie Acrobatique Actif/Active Admirable Admiratif/Admirative
    Adroit/Adroite Aérien/Aérienne Affable Agile Agréable Aimable Ambitieux/Ambitieuse
    Amical/Amicale Amusant/Amusante Animé/Animée Apaisant/Apaisante Apaisé/Apaisée
    Appliqué/Appliquée Artistique Assidu/Assidue Assuré/Assurée Astucieux/Astucieuse
    Attentif/Attentive Audacieux/Audacieuse Authentique Autonome Aventureux/Aventureuse
    Avisé/Avisée Bienvenu/Bienvenue Bondissant/Bondissante Boréal/Boréale Brillant/Brillante
    Bucolique Calme Capable Captivant/Captivante Célèbre Champêtre Chevronné/Chevronnée
    Compétent/Compétente Coopératif/Coopérative Cordial/Cordiale Cosmique
    Courageux/Courageuse Courtois/Courtoise Créatif/Créative Crédible Curieux/Curieuse
    Éclairé/Éclairée Éclatant/Éclatante Efficace Efficient/Efficiente Électrique
    Élogieux/Élogieuse Éloquent/Éloquente Émérite Émerveillé/Émerveillée Émouvant/Émouvante
    Enchanté/Enchantée Endurant/Endurante Énergique Enjoué/Enjouée Ensoleillé/Ensoleillée
    Entraînant/Entraînante Épatant/Épatante Épique Équitable Estival/Estivale
    Étincelant/Étincelante Étonnant/Étonnante Éveillé/Éveillée Fabuleux/Fabuleuse
    Fameux/Fameuse Fantastique Fascinant/Fascinante Festif/Festive Fiable
    Flamboyant/Flamboyante Floral/Florale Fluvial/Fluviale Forestier/Forestière Formidable
    Fougueux/Fougueuse Fringant/Fringante Fulgurant/Fulgurante Idéal/Idéale Illustre
    Imaginatif/Imaginative Imbattable Impeccable Incroyable Infatigable Ingénieux/Ingénieuse
    Inlassable Innovant/Innovante Inoubliable Inspirant/Inspirante Inspiré/Inspirée Intègre
    Intrépide Inventif/Inventive Invincible Légendaire Limpide Littéraire Logique
    Lointain/Lointaine Louable Loyal/Loyale Lucide Lumineux/Lumineuse Lyrique Magique
    Magistral/Magistrale Magnétique Magnifique Malicieux/Malicieuse Maritime
    Médaillé/Médaillée Mélodieux/Mélodieuse Mémorable Méritant/Méritante Mesuré/Mesurée
    Méthodique Minutieux/Minutieuse Moderne Modeste Mondial/Mondiale Montagnard/Montagnarde
    Motivé/Motivée Musical/Musicale Musicien/Musicienne Mystérieux/Mystérieuse Olympique
    Optimiste Orbital/Orbitale Orchestral/Orchestrale Ordonné/Ordonnée Organisé/Organisée
    Original/Originale Pacifique Paisible Palpitant/Palpitante Panoramique Parfait/Parfaite
    Passionné/Passionnée Patient/Patiente Perspicace Pertinent/Pertinente Plaisant/Plaisante
    Planétaire Poétique Poli/Polie Polyvalent/Polyvalente Ponctuel/Ponctuelle Populaire
    Posé/Posée Pratique Précis/Précise Préparé/Préparée Prévenant/Prévenante
    Prévoyant/Prévoyante Printanier/Printanière Prodigieux/Prodigieuse
    Prometteur/Prometteuse Prompt/Prompte Radieux/Radieuse Raffiné/Raffinée Raisonnable
    Rapide Rassurant/Rassurante Ravi/Ravie Rayonnant/Rayonnante Réactif/Réactive Réaliste
    Réfléchi/Réfléchie Régulier/Régulière Réjoui/Réjouie Remarquable Renommé/Renommée
    Reposant/Reposante Résolu/Résolue Respecté/Respectée Responsable Réussi/Réussie
    Rêveur/Rêveuse Rieur/Rieuse Rigoureux/Rigoureuse Romanesque Rythmé/Rythmée Sage
    Salué/Saluée Sautillant/Sautillante Savant/Savante Serviable Silencieux/Silencieuse
    Sincère Sociable Soigné/Soignée Soigneux/Soigneuse Solaire Solide Souriant/Souriante
    Spatial/Spatiale Splendide Spontané/Spontanée Sportif/Sportive Stable
    Stimulant/Stimulante Studieux/Studieuse Sublime Subtil/Subtile Superbe
    Surprenant/Surprenante Sympathique Tempéré/Tempérée Tenace Théâtral/Théâtrale
    Tolérant/Tolérante Tournoyant/Tournoyante Tranquille Trépidant/Trépidante
    Triomphant/Triomphante Tropical/Tropicale Vaillant/Vaillante Valeureux/Valeureuse Véloce
    Victorieux/Victorieuse Vigilant/Vigilante Virtuose Visionnaire Vivace Volontaire
    Vrai/Vraie
""".split()
"""The masculine and the feminine form, where they differ."""

_FEMININE = frozenset(FEMININE)


def together(adjective: str, noun: str) -> str:
    """A name: the noun, then the adjective as the noun's gender has it.

    >>> together("Actif/Active", "Abeille"), together("Agile", "Castor")
    ('Abeille Active', 'Castor Agile')
    """
    masculine, _slash, feminine = adjective.partition("/")
    return f"{noun} {feminine if feminine and noun in _FEMININE else masculine}"


PHRASE_WORDS = """
    abeille abord abstrait accord acide acier acrobate action adjectif adresse adroit adulte
    affaire affiche agenda agneau agrume aile aimable ajout amarre ambiance amical amidon
    amorce amphore ample ampoule amusant ancien anguille annonce antenne appareil appel
    apprenti appui aquarium arbitre arcade arche ardoise argile argument armoire aromate
    arrivage arrosoir article asperge assiette astre astuce atelier atlas atome attentif
    attrait aubaine audace audio automne avance avenir averse avion avoine avril azur badge
    bagage baignade balance bandeau banjo banlieue banquise barbecue baril barque barrage
    basilic basket bastion bateau batterie bazar beignet berline besoin bibelot bicycle
    bijou biologie biplan biscuit bitume blason blazer bleuet blouson bobine bonbon bonheur
    bonjour bonnet bordure botte bouclier bougie bouillon bouquet bourdon boussole bouton
    boxe bracelet brasier brebis bretelle brioche brique brise brocoli broderie bronze
    brosse brouette brugnon bruit brume bruyant buffet bureau cabine cabriole cachette
    cactus cadeau cadre caillou caisse camarade camion campagne canard canevas canif
    cannelle canot cantine canyon capable capitale capsule captif capuche carafe cargo
    carillon carnaval carotte carreau cartable cascade casier cavalier caverne cellule
    central cerceau cerise certain chaise chalet chambre chapeau charbon chasseur chemin
    chenille cheval chiffre chimie chrome cigale cigogne ciment cinq circuit cirque citoyen
    citron civil clapotis classe client climat cloison cobalt cocarde code coiffeur colibri
    colline colombe commode compas copain copeau copie coquille corail cordage cornet
    corsaire cosmique costume coton couleur coupole courage cousin couvert craie crampon
    cravate creux criquet cristal critique crochet croquis cube cuisine cuivre curieux
    curseur cuvette cycle cylindre daim dalle damier dauphin debout dedans dehors delta
    demain denim dentelle dernier dessus devant devise devoir diagonal dialogue diamant
    dicton digue diligent dimanche direct discours distance divers dizaine docteur document
    dollar dolmen domaine domino donjon dossier douane double douzaine dragon drame drone
    druide dune durable duvet effet effort empire enclos endive endroit enfant engin enjeu
    ensemble entrain envers ermite erreur escalier escorte espace espion esprit estival
    estrade estuaire fabrique facile facteur fagotin falaise fameux famille fanfare fanion
    farine faune fauteuil fauvette favori fenouil ferry fertile festin fiable fibre ficelle
    fiction figure film filtre finesse fissure fjord flair flamme flanelle fleur flexible
    flore flotte fluide folklore fontaine football forge format fossile foudre foulard
    fourmi fraction fraise frein frelon fresque frisson fromage frontal frugal fruitier
    furet fusion gagnant galant galerie galion galop gambade garage gardien garnison gaufre
    gazelle gazon gendarme genre gentil germe gilet girafe glace glissade gloire glucose
    gobelet gomme gondole goudron goutte gramme grange gratin gravure griffe grimoire
    guichet guide guimauve guitare gymnase habile halte hamster handball hanneton harmonie
    havre hectare hermine heureux hibou histoire hiver honneur horaire horizon horloge houle
    hublot huile huit humain humble humour hutte iceberg illustre image immense impact
    incident index indice initial insecte insigne insolite instant intact intense intrigue
    inverse isolant jaguar janvier jargon jarre javelot jeton jeudi jockey joli jongleur
    jouet journal jovial joyau joyeux jubilant judo juge juillet jumeau jungle jupon jury
    juste karting kayak kermesse kimono kiosque kiwi koala label lacet lagon lagune laine
    laiton lande langage lanterne lasagne laurier laverie lecture lentille lessive lettre
    levier levure lexique liaison liane lien lierre limite limonade limpide linge lionceau
    liquide lisse livre loge logique lointain loisir lombric longueur loquet loriot lotion
    lotus louange loyal loyer lucarne lueur lumineux lunaire lundi lunette lustre lutin luxe
    lynx lyrique macaron machine madame magasin magie magma magnolia maillot mairie majeur
    malice mallette mammouth mandat manette mangue manoir manteau manuel marathon marbre
    mardi marelle marge marmite mascotte masque massif matelas matin mauve maximum menhir
    menthe merci message mesure meule meunier miel mieux milieu mille minerai minute miracle
    mission mitaine mixte mobile modeste module moineau moment monde moniteur monnaie
    montagne monument morale morceau moteur moto mouchoir mouette moulin mousse moyenne
    muguet multiple muraille murmure muscle museau musique myrtille nageur nation natte
    naturel nautique naval navette navire nectar neige neuf neutre neveu niveau noble
    noisette nombre nord normal notice nougat nouveau novembre nuage nuance nylon oasis
    objet oblique obstacle occasion octave octobre offre ogre oiseau ombrelle omelette
    opaque opinion optique orage ordinal ordre oreiller orgue orient origan otarie ouest
    ourson outil ouvrage ovale ozone page paille palace palette palmier panache panda
    panorama pantin papaye papier paprika paquet parade parc pardon pareil parfum parking
    parole partage parvis pastel patron paume pavillon paysage peigne pensif pente perdrix
    perle perron persil peuple phare photo phrase physique piano pichet pied pieuvre pigment
    pignon pilier pilote pinceau pinson pioche pion pirate piscine pivot pizza plafond
    planche plaque platane pliage plongeur pluie pluriel pluvier podium poignet poisson
    poivre polaire pollen polygone pommier pompon poney portail poste potage poulain poutre
    pouvoir prairie pratique premier prochain produit profond projet promesse propre prose
    pruneau public puma pupitre puzzle pyjama pyramide python quai quartier question quille
    quinze quota racine radar rafale raisin rameau rapide raquette rasoir ravin rayon rayure
    rebond recette record recueil reflet refrain refuge registre reliure remise remorque
    rempart renard renfort renom repli repos reptile respect ressort restes retour revue
    richesse rideau rigide rigolo rime risque rivage riverain robinet robot robuste roitelet
    rosace rosier rotin rotonde rotule royaume ruade ruban rubis rubrique ruche rugby
    ruisseau rural rustique sachet sacoche safari safran sagesse saison salade saline salut
    samba samedi sandale sanglier saphir sardine saule saumon savane savon science scolaire
    scooter scorpion secours secteur seize semaine semelle semoule sensible sentier serpent
    serrure service session seuil sieste sifflet sigle signal silence silo simple sinueux
    sirop slalom slogan sobre social socle soigneux soir soja solide solution sommet sonate
    songe sonnette sonore sorbet sortie soudain souffle souhait soulier source souvenir
    spacieux spatule sphinx spirale sport square stable stage stand station stock store
    studio style subtil suite sujet superbe support surface surprise survol swing syllabe
    symbole tableau tabouret tactique talent talon talus tambour tandem tango tarif tartine
    tatami taxi teinture temple tendre tennis tension tenue terminal terrain texte ticket
    tiers tige tilleul timbre tiret tiroir tisane titre toast toboggan toile toison tomate
    topaze torche torrent torsade total totem toucan toupie tourelle tracteur train trajet
    tramway tranche travail treize tremplin trente tresse treuil triangle tribune tricot
    trident trio tropical trottoir truelle truffe truite tulle tunnel turbine tuteur tutu
    tuyau typique uniforme univers urbain urgent urne utile utopie vacances vague vaillant
    vaisseau valable valise vallon valve vanille vanneau vapeur varan variante vaste vedette
    veilleur velours vendredi vent verbe verdure vernis verrou versant vertical verveine
    vigne vigueur village vinaigre vingt virage virgule virtuose visible vitamine vitesse
    vitrail vivace vivier vocal voilier voisin voiture volcan volet volley voltige volume
    vote voyage voyelle vrai vrille western zigzag zodiaque zoologie zoom
""".split()
"""What rejoin phrases are made of: 1,061 words of 3 to 8 letters without accents, each told by
its first four. To change a single one is to change everybody's phrase.
"""
